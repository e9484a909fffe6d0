//! A result contains only values of the provider: the cells of `cpaas_tests::malformed_cells`.

use cpaas::OperationId;
use cpaas::client::{Client, Response, TransportError};
use cpaas::error::Error;
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas_tests::examples::{config, example};
use cpaas_tests::malformed_cells::{MalformedCell, TABLE, malformed_cells};
use cpaas_tests::outcome_cells::Report;

async fn call(cell: &MalformedCell) -> Result<Response<String>, Error> {
    let body = cell.response.to_string();
    let transport = move |_: HttpRequest| {
        let body = body.clone();
        async move { Ok::<_, TransportError>(HttpResponse::new(200, Vec::new(), body)) }
    };
    let config = config("http://127.0.0.1:9").max_attempts(1);
    let client = Client::with_transport(&config, transport).unwrap();
    client.call_json(OperationId::find(cell.id).unwrap(), example(cell.id).request).await
}

#[tokio::test]
async fn a_malformed_member_has_the_documented_effect_on_outcome_and_result() {
    assert_eq!(TABLE.len(), OperationId::ALL.len());
    let cells = malformed_cells();
    assert_eq!(cells.len(), 1116);
    let mut wrong = Vec::new();
    for cell in &cells {
        let result = call(cell).await;
        let mut differences = cell.differences(&Report::of_result(&result));
        if let (true, Ok(response)) = (differences.is_empty(), &result) {
            let value = serde_json::from_str(&response.value).unwrap();
            let warned: Vec<_> = response.warnings.iter().map(|problem| problem.pointer.clone()).collect();
            differences = cell.differences_of_result(&value, &warned);
        }
        wrong.extend(differences.into_iter().map(|difference| format!("{}: {difference}", cell.name())));
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cells.len(), wrong.join("\n"));
    println!("{} cells", cells.len());
}
