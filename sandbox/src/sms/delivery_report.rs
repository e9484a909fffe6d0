//! Delivery reports of SMS: the callback URL and its template.

use cpaas::callback::{Template, TemplateFormat, Values, Variable};

use crate::account_state::State;
use crate::assumptions::{AssumptionId, AssumptionSet};
use crate::callbacks::Delivery;
use crate::log_entries::Event;
use crate::message::Message;
use crate::networks;
use crate::time_text::iso;
use crate::url::append;

const FORM: &str = "application/x-www-form-urlencoded";

impl State {
    /// Whether the final status of a message is reported.
    pub(super) fn has_report_target(&self, own: Option<&str>) -> bool {
        own.is_some() || self.settings.callback.is_some()
    }

    /// Gives an SMS its final status and reports it.
    pub(crate) fn sms_settles(&mut self, number: u64) {
        let own = self.reports.remove(&number).flatten();
        let Some(message) = self.messages.get(number) else { return };
        let message = message.clone();
        let status = message.settles.map_or(message.status, |(_, status)| status);
        let event = Event::new(self.clock.now(), "sms.status").about(message.id.to_string());
        let detail = serde_json::json!({"status": status});
        self.event(event.detail(detail).assuming(AssumptionSet::default().with(AssumptionId(36))));
        if let Some(delivery) = self.sms_report(own.as_deref(), &message, status) {
            self.report(delivery);
        }
    }

    fn sms_report(&self, own: Option<&str>, message: &Message, status: &str) -> Option<Delivery> {
        let account = self.settings.callback.clone().unwrap_or_default();
        let url = own.unwrap_or(&account.url);
        if url.is_empty() {
            return None;
        }
        let values = values(message, status, self.clock.now());
        let mut assumed = AssumptionSet::default().with(AssumptionId(36));
        let (method, url, content_type, body) = if account.posts() {
            let (content_type, format) = match account.content_type.as_deref() {
                Some(FORM) => (FORM, TemplateFormat::Form),
                _ => ("application/json", TemplateFormat::Json),
            };
            let template = account.template.as_deref().unwrap_or(default_body(format));
            let body = Template::parse(template, format).render(&values).into_bytes();
            ("POST", Template::parse(url, TemplateFormat::Url).render(&values), content_type, body)
        } else {
            let (url, assumptions) = get_url(url, account.template.as_deref(), &values);
            assumed = assumed.union(assumptions);
            ("GET", url, "", Vec::new())
        };
        let subject = message.id.to_string();
        Some(Delivery { kind: "report", subject, method, url, content_type, body, assumed, replay_of: None })
    }
}

const fn default_body(format: TemplateFormat) -> &'static str {
    match format {
        TemplateFormat::Form => {
            "msgid=~msgid~&mcc=~mcc~&mnc=~mnc~&rate=~rate~&status=~status~&reference=~reference~&errorcode=~errorcode~"
        }
        _ => {
            r#"{"msgid":"~msgid~","mcc":"~mcc~","mnc":"~mnc~","rate":"~rate~","status":"~status~","reference":"~reference~","errorcode":"~errorcode~"}"#
        }
    }
}

/// The URL of a report by GET, with its own variables replaced. The account's template is appended; without a template and
/// without variables, the default parameters are appended (D35).
fn get_url(url: &str, template: Option<&str>, values: &Values) -> (String, AssumptionSet) {
    let own = Template::parse(url, TemplateFormat::Url);
    let mut expanded = own.render(values);
    let mut named = own.variables().any(|variable| variable == Variable::Reference);
    let mut assumptions = AssumptionSet::default();
    if let Some(template) = template {
        let template = Template::parse(template, TemplateFormat::Url);
        named = named || template.variables().any(|variable| variable == Variable::Reference);
        expanded = append(&expanded, template.render(values).trim_start_matches(['?', '&']));
    } else if own.variables().next().is_none() {
        assumptions.add(AssumptionId(35));
        let template = Template::parse(
            "msgid=~msgid~&mcc=~mcc~&mnc=~mnc~&rate=~rate~&status=~status~&errorcode=~errorcode~",
            TemplateFormat::Url,
        );
        expanded = append(&expanded, &template.render(values));
    }
    if !named && values.contains_key(&Variable::Reference) {
        assumptions.add(AssumptionId(34));
        let reference = Template::parse("reference=~reference~", TemplateFormat::Url).render(values);
        expanded = append(&expanded, &reference);
    }
    (expanded, assumptions)
}

fn values(message: &Message, status: &str, now: u64) -> Values {
    let network = networks::network(&message.to);
    let code = match status {
        "delivered" => "0",
        "undelivered" => "911",
        "expired" => "912",
        "rejected" => "902",
        _ => "990",
    };
    let mut values = Values::from([
        (Variable::MessageId, message.id.to_string()),
        (Variable::Mcc, network.mcc.to_owned()),
        (Variable::Mnc, network.mnc.to_owned()),
        (Variable::Rate, networks::money(network.price)),
        (Variable::Status, status.to_owned()),
        (Variable::To, message.to.clone()),
        (Variable::From, message.from.clone()),
        (Variable::ErrorCode, code.to_owned()),
        (Variable::Timestamp, iso(now)),
    ]);
    if let Some(reference) = &message.reference {
        values.insert(Variable::Reference, reference.to_string());
    }
    values
}
