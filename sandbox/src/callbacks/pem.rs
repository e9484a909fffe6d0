//! Certificates from a file, in PEM or DER form.

use std::path::Path;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

pub(crate) fn read(path: &Path) -> Option<Vec<CertificateDer<'static>>> {
    let bytes = std::fs::read(path).ok()?;
    if bytes.starts_with(b"-----") {
        return CertificateDer::pem_slice_iter(&bytes).collect::<Result<_, _>>().ok();
    }
    Some(vec![CertificateDer::from(bytes)])
}
