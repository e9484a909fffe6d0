//! The user actions that the control API simulates, and their events (D48).

use serde::Deserialize;
use serde_json::{Value, json};

use crate::account_state::State;
use crate::assumptions::{AssumptionId, AssumptionSet};
use crate::callbacks::Delivery;
use crate::ledger::fnv;
use crate::log_entries::Event;
use crate::message::Message;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::random::Id;
use crate::time_text::iso;

/// A message from a user.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Inbound {
    #[serde(default = "sms")]
    channel: String,
    from: String,
    #[serde(default)]
    to: String,
    #[serde(default)]
    text: String,
    /// The data of a tapped suggestion of `business_chat`.
    #[serde(default)]
    postback: Option<String>,
    /// The id of the user's message; a second message with the same id is a duplicate.
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    photo: Option<String>,
}

fn sms() -> String {
    "sms".to_owned()
}

/// An event of `messenger_b`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Report {
    event: String,
    user: String,
    #[serde(default)]
    message_id: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    photo: Option<String>,
}

fn assumptions() -> AssumptionSet {
    AssumptionSet::default().with(AssumptionId(48))
}

fn json_to(kind: &'static str, subject: &str, url: String, body: &Value) -> Delivery {
    Delivery {
        kind,
        subject: subject.to_owned(),
        method: "POST",
        url,
        content_type: "application/json",
        body: body.to_string().into_bytes(),
        assumed: assumptions(),
        replay_of: None,
    }
}

/// The reason why a user's message is not forwarded if no target is set.
const NO_WEBHOOK: &str = "no webhook for replies (inbound_callback) is set";

impl State {
    /// Stores a user's message and queues it for the configured webhook.
    pub(crate) fn inbound(&mut self, inbound: Inbound) -> ProviderResult<String> {
        let channel = ["sms", "messenger_a", "messenger_b", "messenger_c", "business_chat"]
            .into_iter()
            .find(|name| *name == inbound.channel)
            .ok_or_else(|| ProviderError::plain(400, "`channel` must be sms or a chat channel"))?;
        let now = self.clock.now();
        if let Some(id) = &inbound.id
            && !self.inbound_ids.insert(fnv(format!("{channel}|{}|{id}", inbound.from).as_bytes()))
        {
            self.event(Event::new(now, "inbound.duplicate").about(id.as_str()));
            return Ok(id.clone());
        }
        let message = Id(self.random.u64(), self.random.u64());
        let id = inbound.id.clone().unwrap_or_else(|| message.to_string());
        let delivery = match channel {
            "sms" => self.inbound_sms(&id, &inbound),
            "messenger_b" => self.inbound_messenger_b(&id, &inbound),
            "messenger_c" => self.inbound_messenger_c(&inbound),
            "business_chat" => self.inbound_chat(&id, &inbound),
            _ => Err(format!("{channel} has no webhook")),
        };
        let mut kept = Message {
            id: message,
            at: now,
            updated: now,
            operation: "inbound",
            channel,
            inbound: true,
            from: inbound.from.clone(),
            to: inbound.to.clone(),
            text: inbound.text.clone(),
            status: "received",
            settles: None,
            otp: None,
            reference: None,
            traceparent: None,
            more: None,
            assumed: assumptions(),
            hidden: false,
        };
        if let Err(reason) = &delivery {
            kept.add_member("not_forwarded", reason.as_str());
        }
        self.store_message(kept, 0);
        match delivery {
            Ok(delivery) => self.deliver(delivery),
            Err(reason) => {
                let detail = json!({"channel": channel, "reason": reason});
                self.event(Event::new(now, "inbound.not_configured").about(id.as_str()).detail(detail));
            }
        }
        Ok(id)
    }

    fn inbound_sms(&self, id: &str, inbound: &Inbound) -> Result<Delivery, String> {
        let configured = self.settings.two_way.iter().any(|number| *number == inbound.to || number == "*");
        let absent = format!("{} is not in Numbers that receive SMS (two_way)", inbound.to);
        let url = match (self.settings.inbound_callback.clone(), configured) {
            (Some(url), true) => url,
            (Some(_), false) => return Err(absent),
            (None, true) => return Err(NO_WEBHOOK.to_owned()),
            (None, false) => return Err(format!("{NO_WEBHOOK}, and {absent}")),
        };
        let body = json!({
            "messageId": id, "from": inbound.from, "to": inbound.to, "text": inbound.text,
            "timestamp": iso(self.clock.now()), "_sandbox": true,
        });
        Ok(json_to("inbound", id, url, &body))
    }

    fn inbound_messenger_b(&mut self, id: &str, inbound: &Inbound) -> Result<Delivery, String> {
        self.session_reply(&inbound.from);
        let hook =
            self.messenger_b_webhook.clone().ok_or("no webhook of messenger_b is set (its API sets it)")?;
        let body = json!({
            "event": "message", "message_id": id, "timestamp": iso(self.clock.now()),
            "user": hook.user(&inbound.from, inbound.name.as_deref(), inbound.photo.as_deref()),
            "message": {"type": "text", "text": inbound.text}, "_sandbox": true,
        });
        Ok(json_to("webhook", id, hook.url, &body))
    }

    fn inbound_messenger_c(&mut self, inbound: &Inbound) -> Result<Delivery, String> {
        let bot =
            self.messenger_c_webhook.clone().ok_or("no webhook of messenger_c is set (its API sets it)")?;
        self.updates += 1;
        let user = inbound.from.parse::<u64>().unwrap_or_else(|_| fnv(inbound.from.as_bytes()) >> 12);
        let body = json!({
            "update_id": self.updates,
            "message": {
                "message_id": self.updates, "date": self.clock.now() / 1_000, "text": inbound.text,
                "from": {"id": user, "is_bot": false, "first_name": inbound.name.as_deref().unwrap_or("User")},
                "chat": {"id": user, "type": "private"},
            },
            "_sandbox": true,
        });
        Ok(json_to("bot", &self.updates.to_string(), bot.target(), &body))
    }

    fn inbound_chat(&self, id: &str, inbound: &Inbound) -> Result<Delivery, String> {
        let settings = &self.settings;
        let url = settings.inbound_callback.as_ref().or(settings.chat_callback.as_ref());
        let url = url.cloned().ok_or(NO_WEBHOOK)?;
        let mut body = json!({
            "messageId": id, "conversationId": inbound.to, "userId": inbound.from,
            "timestamp": iso(self.clock.now()), "_sandbox": true,
        });
        if let Value::Object(members) = &mut body {
            match &inbound.postback {
                Some(data) => members.insert(
                    "suggestionResponse".to_owned(),
                    json!({"text": inbound.text, "postbackData": data}),
                ),
                None => members.insert("text".to_owned(), Value::from(inbound.text.as_str())),
            };
        }
        Ok(json_to("webhook", id, url, &body))
    }

    /// Delivers an event of `messenger_b` if the webhook subscribes to it. Returns whether it was delivered.
    pub(crate) fn messenger_b_report(&mut self, report: &Report) -> ProviderResult<bool> {
        if !crate::account_state::webhook_targets::EVENTS.contains(&report.event.as_str()) {
            return Err(ProviderError::plain(
                400,
                format!(
                    "`event` must be one of {}",
                    crate::account_state::webhook_targets::EVENTS.join(", ")
                ),
            ));
        }
        let Some(hook) = self.messenger_b_webhook.clone() else { return Ok(false) };
        if !hook.events.contains(&report.event.as_str()) {
            return Ok(false);
        }
        let id = report.message_id.clone().unwrap_or_else(|| self.random.uuid());
        let body = json!({
            "event": report.event, "message_id": id, "timestamp": iso(self.clock.now()),
            "user": hook.user(&report.user, report.name.as_deref(), report.photo.as_deref()),
            "_sandbox": true,
        });
        self.deliver(json_to("webhook", &id, hook.url, &body));
        Ok(true)
    }

    /// Reports the delivery status of a `messenger_b` message as an event.
    pub(crate) fn messenger_b_chat_event(&mut self, id: &str, to: &str, status: &str) {
        let event = match status {
            "Delivered" => "delivered",
            "Failed" | "expired" => "failed",
            _ => return,
        };
        let report = Report {
            event: event.to_owned(),
            user: to.to_owned(),
            message_id: Some(id.to_owned()),
            name: None,
            photo: None,
        };
        let _ = self.messenger_b_report(&report);
    }
}

impl crate::account_state::webhook_targets::Hook {
    /// The user, with name and photo only if the webhook requests them.
    fn user(&self, id: &str, name: Option<&str>, photo: Option<&str>) -> Value {
        let mut user = json!({"id": id});
        if let Value::Object(members) = &mut user {
            if self.name {
                members.insert("name".to_owned(), Value::from(name.unwrap_or("User [sandbox]")));
            }
            if self.photo {
                let photo = photo.unwrap_or("https://sandbox.invalid/user.png");
                members.insert("photo".to_owned(), Value::from(photo));
            }
        }
        user
    }
}
