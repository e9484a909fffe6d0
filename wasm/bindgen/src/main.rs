//! `cpaas-wasm-bindgen IN.wasm OUT_DIR web|nodejs|bundler`: the glue of the browser module.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, out, target] = arguments.as_slice() else {
        eprintln!("usage: cpaas-wasm-bindgen IN.wasm OUT_DIR web|nodejs|bundler");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let chosen = match target.as_str() {
        "web" => bindgen.web(true),
        "nodejs" => bindgen.nodejs(true),
        _ => bindgen.bundler(true),
    };
    let made = chosen.and_then(|bindgen| {
        bindgen.input_path(input).out_name("cpaas").typescript(true).omit_default_module_path(true).generate(out)
    });
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wasm-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
