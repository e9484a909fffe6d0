//! Mobile networks by the first digits of a number (ITU E.164 country codes, E.212 mobile country codes).

/// The home network of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Network {
    /// ISO 3166 alpha-3.
    pub(crate) country: &'static str,
    pub(crate) name: &'static str,
    /// The country's calling code.
    pub(crate) prefix: &'static str,
    pub(crate) mcc: &'static str,
    pub(crate) mnc: &'static str,
    /// The invented price of one SMS, in ten-thousandths of the currency.
    pub(crate) price: u64,
}

/// The network of numbers without a country, such as the magic numbers.
const NO_COUNTRY: Network =
    Network { country: "XXX", name: "Sandbox", prefix: "999", mcc: "999", mnc: "99", price: 100 };

/// The network of a number, by the longest matching prefix.
pub(crate) fn network(number: &str) -> Network {
    let digits = number.strip_prefix('+').unwrap_or(number);
    (1..=4)
        .rev()
        .find_map(|length| {
            let index = TABLE.binary_search_by_key(&digits.get(..length)?, |row| row.0).ok()?;
            TABLE.get(index)
        })
        .map_or(NO_COUNTRY, of_row)
}

/// A network in another country than `home`, for roaming numbers; `hash` selects it.
pub(crate) fn other(hash: u64, home: Network) -> Network {
    let rows = TABLE.len() as u64;
    (0..rows)
        .filter_map(|step| TABLE.get(usize::try_from((hash.wrapping_add(step)) % rows).ok()?))
        .map(of_row)
        .find(|network| network.country != home.country)
        .unwrap_or(home)
}

fn of_row(row: &Row) -> Network {
    let (prefix, country, name, mcc) = *row;
    // Canada and the Caribbean islands share the calling code 1.
    let prefix = if prefix.starts_with('1') { prefix.get(..1).unwrap_or(prefix) } else { prefix };
    Network { country, name, prefix, mcc, mnc: "01", price: 100 + mcc.bytes().map(u64::from).sum::<u64>() }
}

/// Ten-thousandths as decimal text.
pub(crate) fn money(amount: u64) -> String {
    format!("{}.{:04}", amount / 10_000, amount % 10_000)
}

/// First digits, country, its name, mobile country code.
type Row = (&'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const TABLE: &[Row] = &[
    ("1", "USA", "United States", "310"), ("1204", "CAN", "Canada", "302"), ("1226", "CAN", "Canada", "302"),
    ("1236", "CAN", "Canada", "302"), ("1242", "BHS", "Bahamas", "364"), ("1246", "BRB", "Barbados", "342"),
    ("1249", "CAN", "Canada", "302"), ("1250", "CAN", "Canada", "302"), ("1289", "CAN", "Canada", "302"),
    ("1306", "CAN", "Canada", "302"), ("1343", "CAN", "Canada", "302"), ("1365", "CAN", "Canada", "302"),
    ("1403", "CAN", "Canada", "302"), ("1416", "CAN", "Canada", "302"), ("1418", "CAN", "Canada", "302"),
    ("1431", "CAN", "Canada", "302"), ("1437", "CAN", "Canada", "302"), ("1438", "CAN", "Canada", "302"),
    ("1450", "CAN", "Canada", "302"), ("1506", "CAN", "Canada", "302"), ("1514", "CAN", "Canada", "302"),
    ("1519", "CAN", "Canada", "302"), ("1579", "CAN", "Canada", "302"), ("1581", "CAN", "Canada", "302"),
    ("1587", "CAN", "Canada", "302"), ("1604", "CAN", "Canada", "302"), ("1613", "CAN", "Canada", "302"),
    ("1639", "CAN", "Canada", "302"), ("1647", "CAN", "Canada", "302"), ("1705", "CAN", "Canada", "302"),
    ("1709", "CAN", "Canada", "302"), ("1778", "CAN", "Canada", "302"), ("1780", "CAN", "Canada", "302"),
    ("1787", "PRI", "Puerto Rico", "330"), ("1807", "CAN", "Canada", "302"),
    ("1809", "DOM", "Dominican Republic", "370"), ("1819", "CAN", "Canada", "302"),
    ("1829", "DOM", "Dominican Republic", "370"), ("1849", "DOM", "Dominican Republic", "370"),
    ("1867", "CAN", "Canada", "302"), ("1868", "TTO", "Trinidad and Tobago", "374"), ("1873", "CAN", "Canada", "302"),
    ("1876", "JAM", "Jamaica", "338"), ("1902", "CAN", "Canada", "302"), ("1905", "CAN", "Canada", "302"),
    ("20", "EGY", "Egypt", "602"), ("211", "SSD", "South Sudan", "659"), ("212", "MAR", "Morocco", "604"),
    ("213", "DZA", "Algeria", "603"), ("216", "TUN", "Tunisia", "605"), ("218", "LBY", "Libya", "606"),
    ("220", "GMB", "Gambia", "607"), ("221", "SEN", "Senegal", "608"), ("222", "MRT", "Mauritania", "609"),
    ("223", "MLI", "Mali", "610"), ("224", "GIN", "Guinea", "611"), ("225", "CIV", "Ivory Coast", "612"),
    ("226", "BFA", "Burkina Faso", "613"), ("227", "NER", "Niger", "614"), ("228", "TGO", "Togo", "615"),
    ("229", "BEN", "Benin", "616"), ("230", "MUS", "Mauritius", "617"), ("231", "LBR", "Liberia", "618"),
    ("232", "SLE", "Sierra Leone", "619"), ("233", "GHA", "Ghana", "620"), ("234", "NGA", "Nigeria", "621"),
    ("235", "TCD", "Chad", "622"), ("236", "CAF", "Central African Republic", "623"),
    ("237", "CMR", "Cameroon", "624"), ("238", "CPV", "Cape Verde", "625"),
    ("239", "STP", "Sao Tome and Principe", "626"), ("240", "GNQ", "Equatorial Guinea", "627"),
    ("241", "GAB", "Gabon", "628"), ("242", "COG", "Congo", "629"), ("243", "COD", "DR Congo", "630"),
    ("244", "AGO", "Angola", "631"), ("245", "GNB", "Guinea-Bissau", "632"), ("248", "SYC", "Seychelles", "633"),
    ("249", "SDN", "Sudan", "634"), ("250", "RWA", "Rwanda", "635"), ("251", "ETH", "Ethiopia", "636"),
    ("252", "SOM", "Somalia", "637"), ("253", "DJI", "Djibouti", "638"), ("254", "KEN", "Kenya", "639"),
    ("255", "TZA", "Tanzania", "640"), ("256", "UGA", "Uganda", "641"), ("257", "BDI", "Burundi", "642"),
    ("258", "MOZ", "Mozambique", "643"), ("260", "ZMB", "Zambia", "645"), ("261", "MDG", "Madagascar", "646"),
    ("262", "REU", "Reunion", "647"), ("263", "ZWE", "Zimbabwe", "648"), ("264", "NAM", "Namibia", "649"),
    ("265", "MWI", "Malawi", "650"), ("266", "LSO", "Lesotho", "651"), ("267", "BWA", "Botswana", "652"),
    ("268", "SWZ", "Eswatini", "653"), ("269", "COM", "Comoros", "654"), ("27", "ZAF", "South Africa", "655"),
    ("291", "ERI", "Eritrea", "657"), ("297", "ABW", "Aruba", "363"), ("298", "FRO", "Faroe Islands", "288"),
    ("299", "GRL", "Greenland", "290"), ("30", "GRC", "Greece", "202"), ("31", "NLD", "Netherlands", "204"),
    ("32", "BEL", "Belgium", "206"), ("33", "FRA", "France", "208"), ("34", "ESP", "Spain", "214"),
    ("350", "GIB", "Gibraltar", "266"), ("351", "PRT", "Portugal", "268"), ("352", "LUX", "Luxembourg", "270"),
    ("353", "IRL", "Ireland", "272"), ("354", "ISL", "Iceland", "274"), ("355", "ALB", "Albania", "276"),
    ("356", "MLT", "Malta", "278"), ("357", "CYP", "Cyprus", "280"), ("358", "FIN", "Finland", "244"),
    ("359", "BGR", "Bulgaria", "284"), ("36", "HUN", "Hungary", "216"), ("370", "LTU", "Lithuania", "246"),
    ("371", "LVA", "Latvia", "247"), ("372", "EST", "Estonia", "248"), ("373", "MDA", "Moldova", "259"),
    ("374", "ARM", "Armenia", "283"), ("375", "BLR", "Belarus", "257"), ("376", "AND", "Andorra", "213"),
    ("377", "MCO", "Monaco", "212"), ("378", "SMR", "San Marino", "292"), ("380", "UKR", "Ukraine", "255"),
    ("381", "SRB", "Serbia", "220"), ("382", "MNE", "Montenegro", "297"), ("383", "XKX", "Kosovo", "221"),
    ("385", "HRV", "Croatia", "219"), ("386", "SVN", "Slovenia", "293"),
    ("387", "BIH", "Bosnia and Herzegovina", "218"), ("389", "MKD", "North Macedonia", "294"),
    ("39", "ITA", "Italy", "222"), ("40", "ROU", "Romania", "226"), ("41", "CHE", "Switzerland", "228"),
    ("420", "CZE", "Czechia", "230"), ("421", "SVK", "Slovakia", "231"), ("423", "LIE", "Liechtenstein", "295"),
    ("43", "AUT", "Austria", "232"), ("44", "GBR", "United Kingdom", "234"), ("45", "DNK", "Denmark", "238"),
    ("46", "SWE", "Sweden", "240"), ("47", "NOR", "Norway", "242"), ("48", "POL", "Poland", "260"),
    ("49", "DEU", "Germany", "262"), ("500", "FLK", "Falkland Islands", "750"), ("501", "BLZ", "Belize", "702"),
    ("502", "GTM", "Guatemala", "704"), ("503", "SLV", "El Salvador", "706"), ("504", "HND", "Honduras", "708"),
    ("505", "NIC", "Nicaragua", "710"), ("506", "CRI", "Costa Rica", "712"), ("507", "PAN", "Panama", "714"),
    ("508", "SPM", "Saint Pierre and Miquelon", "308"), ("509", "HTI", "Haiti", "372"), ("51", "PER", "Peru", "716"),
    ("52", "MEX", "Mexico", "334"), ("53", "CUB", "Cuba", "368"), ("54", "ARG", "Argentina", "722"),
    ("55", "BRA", "Brazil", "724"), ("56", "CHL", "Chile", "730"), ("57", "COL", "Colombia", "732"),
    ("58", "VEN", "Venezuela", "734"), ("590", "GLP", "Guadeloupe", "340"), ("591", "BOL", "Bolivia", "736"),
    ("592", "GUY", "Guyana", "738"), ("593", "ECU", "Ecuador", "740"), ("594", "GUF", "French Guiana", "742"),
    ("595", "PRY", "Paraguay", "744"), ("596", "MTQ", "Martinique", "340"), ("597", "SUR", "Suriname", "746"),
    ("598", "URY", "Uruguay", "748"), ("599", "CUW", "Curacao", "362"), ("60", "MYS", "Malaysia", "502"),
    ("61", "AUS", "Australia", "505"), ("62", "IDN", "Indonesia", "510"), ("63", "PHL", "Philippines", "515"),
    ("64", "NZL", "New Zealand", "530"), ("65", "SGP", "Singapore", "525"), ("66", "THA", "Thailand", "520"),
    ("670", "TLS", "Timor-Leste", "514"), ("673", "BRN", "Brunei", "528"), ("674", "NRU", "Nauru", "536"),
    ("675", "PNG", "Papua New Guinea", "537"), ("676", "TON", "Tonga", "539"),
    ("677", "SLB", "Solomon Islands", "540"), ("678", "VUT", "Vanuatu", "541"), ("679", "FJI", "Fiji", "542"),
    ("680", "PLW", "Palau", "552"), ("682", "COK", "Cook Islands", "548"), ("685", "WSM", "Samoa", "549"),
    ("686", "KIR", "Kiribati", "545"), ("687", "NCL", "New Caledonia", "546"), ("688", "TUV", "Tuvalu", "553"),
    ("689", "PYF", "French Polynesia", "547"), ("691", "FSM", "Micronesia", "550"),
    ("692", "MHL", "Marshall Islands", "551"), ("7", "RUS", "Russia", "250"), ("76", "KAZ", "Kazakhstan", "401"),
    ("77", "KAZ", "Kazakhstan", "401"), ("81", "JPN", "Japan", "440"), ("82", "KOR", "South Korea", "450"),
    ("84", "VNM", "Vietnam", "452"), ("850", "PRK", "North Korea", "467"), ("852", "HKG", "Hong Kong", "454"),
    ("853", "MAC", "Macau", "455"), ("855", "KHM", "Cambodia", "456"), ("856", "LAO", "Laos", "457"),
    ("86", "CHN", "China", "460"), ("880", "BGD", "Bangladesh", "470"), ("886", "TWN", "Taiwan", "466"),
    ("90", "TUR", "Turkey", "286"), ("91", "IND", "India", "404"), ("92", "PAK", "Pakistan", "410"),
    ("93", "AFG", "Afghanistan", "412"), ("94", "LKA", "Sri Lanka", "413"), ("95", "MMR", "Myanmar", "414"),
    ("960", "MDV", "Maldives", "472"), ("961", "LBN", "Lebanon", "415"), ("962", "JOR", "Jordan", "416"),
    ("963", "SYR", "Syria", "417"), ("964", "IRQ", "Iraq", "418"), ("965", "KWT", "Kuwait", "419"),
    ("966", "SAU", "Saudi Arabia", "420"), ("967", "YEM", "Yemen", "421"), ("968", "OMN", "Oman", "422"),
    ("970", "PSE", "Palestine", "425"), ("971", "ARE", "United Arab Emirates", "424"),
    ("972", "ISR", "Israel", "425"), ("973", "BHR", "Bahrain", "426"), ("974", "QAT", "Qatar", "427"),
    ("975", "BTN", "Bhutan", "402"), ("976", "MNG", "Mongolia", "428"), ("977", "NPL", "Nepal", "429"),
    ("98", "IRN", "Iran", "432"), ("992", "TJK", "Tajikistan", "436"), ("993", "TKM", "Turkmenistan", "438"),
    ("994", "AZE", "Azerbaijan", "400"), ("995", "GEO", "Georgia", "282"), ("996", "KGZ", "Kyrgyzstan", "437"),
    ("998", "UZB", "Uzbekistan", "434"),
];

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_number_belongs_to_the_country_of_its_longest_prefix() {
        let country = |number| network(number).country;
        assert_eq!(country("306912345678"), "GRC");
        assert_eq!(country("12025550123"), "USA");
        assert_eq!(country("14165550123"), "CAN");
        assert_eq!(country("77012345678"), "KAZ");
        assert_eq!(country("9992000001"), "XXX");
        assert_eq!(network("4916012345678").mcc, "262");
        assert_eq!(money(12_345), "1.2345");
        assert!(TABLE.is_sorted_by_key(|row| row.0));
    }
}
