use crate::macros::model;

model! {
    /// What is known of one number (C1).
    pub struct LookupResult {
        expected {
            /// The number.
            msisdn: String = "msisdn",
            /// 0 on success; anything else belongs to this number alone.
            response: i64 = "response",
        }
        optional {
            /// Mobile country code.
            mcc: String = "mcc",
            /// Mobile network code.
            mnc: String = "mnc",
            /// Whether the number was ported to another network.
            ported: bool = "ported",
            /// The network that the number was assigned to.
            original_network: Network = "originalNetwork",
            /// The network that it was ported to.
            ported_network: Network = "portedNetwork",
            /// The network code before the porting.
            original_mnc: String = "originalMnc",
            /// Present for roaming numbers.
            roaming: bool = "roaming",
            /// Mobile country code of the visited network.
            roaming_mcc: String = "roamingMcc",
            /// Mobile network code of the visited network.
            roaming_mnc: String = "roamingMnc",
            /// The visited network.
            roaming_network: Network = "roamingNetwork",
            /// The switching centre, when roaming.
            msc: String = "msc",
            /// The subscriber's identity, partly masked, when roaming.
            imsi: String = "imsi",
            /// True when the number is unreachable: off, out of coverage, or barred from roaming.
            absent: bool = "absent",
            /// What the lookup cost.
            cost: f64 = "cost",
            /// When it was made: ISO 8601, UTC.
            date: String = "date",
        }
    }
}

model! {
    /// A network (C1).
    pub struct Network {
        optional {
            /// Its name.
            network_name: String = "networkName",
            /// The name of its country.
            country_name: String = "countryName",
            /// The calling code of its country.
            country_prefix: String = "countryPrefix",
        }
    }
}
