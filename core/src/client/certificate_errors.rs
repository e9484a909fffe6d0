//! What is wrong with the certificate of a server, for messages.

pub(crate) const EXPIRED: &str = "it has expired: check the clock of this machine";
pub(crate) const NOT_VALID_YET: &str = "it is not valid yet: check the clock of this machine";
pub(crate) const UNKNOWN_ISSUER: &str = "no trusted authority issued it: check `ca_bundle`";
pub(crate) const OTHER_HOST: &str = "it belongs to another host name";
pub(crate) const REVOKED: &str = "it was revoked";
pub(crate) const SIGNATURE: &str = "its signature is invalid";
pub(crate) const PURPOSE: &str = "it is not for servers";
pub(crate) const INVALID: &str = "it is invalid: check `ca_bundle`";

/// The text for the error code of OpenSSL's verification of a certificate, as Node names it.
#[must_use]
pub fn of_openssl(code: &str) -> &'static str {
    match code {
        "CERT_HAS_EXPIRED" => EXPIRED,
        "CERT_NOT_YET_VALID" => NOT_VALID_YET,
        "DEPTH_ZERO_SELF_SIGNED_CERT"
        | "SELF_SIGNED_CERT_IN_CHAIN"
        | "UNABLE_TO_GET_ISSUER_CERT"
        | "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"
        | "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
        | "CERT_UNTRUSTED" => UNKNOWN_ISSUER,
        "ERR_TLS_CERT_ALTNAME_INVALID" | "HOSTNAME_MISMATCH" => OTHER_HOST,
        "CERT_REVOKED" => REVOKED,
        "CERT_SIGNATURE_FAILURE" => SIGNATURE,
        "INVALID_PURPOSE" => PURPOSE,
        _ => INVALID,
    }
}
