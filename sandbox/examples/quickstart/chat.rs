//! Steps with chat channels: a message over each channel, failover and bulk.

use std::time::Duration;

use cpaas::channel::{
    BusinessChat, Channel, Failover, MessengerA, MessengerB, MessengerBType, MessengerC, ParseMode, RichText,
    Sms, Text,
};
use cpaas::messages;
use cpaas_sandbox::MessageFilter;

use crate::transcript::{Failure, Transcript};
use crate::{PHONE, Setup};

fn channels() -> Vec<Channel> {
    vec![
        Sms::new("Your parcel is here").sender("Acme").into(),
        MessengerA::text("Your parcel is here").into(),
        MessengerB::new().kind(MessengerBType::Transactional).text("Your parcel is here").ttl(3600).into(),
        MessengerC::new().text(Text::new("Your *parcel* is here").parse_mode(ParseMode::MarkdownV2)).into(),
        BusinessChat::new().text(RichText::new("Your parcel is here")).fallback("Your parcel is here").into(),
    ]
}

/// One message over each channel.
pub(crate) async fn every_channel(setup: &Setup, t: &mut Transcript) -> Result<(), Failure> {
    t.step("One message over each channel");
    for channel in channels() {
        let name = channel.name();
        let sent = setup.client.call(messages::SendMessage::new(PHONE, channel)).await?;
        let status = sent.delivery_status.as_deref().unwrap_or("-");
        let id = sent.message_id.as_deref().unwrap_or("-");
        t.expect(status == "Ready" && id != "-", format!("{name:<13} {status}, {id}"));
        let filter = MessageFilter::to(PHONE).contains("parcel").channel(name);
        let arrived = setup.sandbox.wait_for(&filter, Duration::from_secs(5)).await;
        t.expect(arrived.is_some(), format!("{name:<13} arrived"));
    }
    Ok(())
}

/// A message is sent by SMS if the chat channel does not deliver it in time.
pub(crate) async fn failover(setup: &Setup, t: &mut Transcript) -> Result<(), Failure> {
    t.step("Failover: chat first, then SMS if it is not delivered within 60 seconds");
    let to = "99940812345";
    let account = setup.sandbox.credentials().traffic_account_id.clone();
    let channels: Vec<Channel> = vec![
        MessengerB::new().kind(MessengerBType::Transactional).text("Gate B4").ttl(60).into(),
        Sms::new("Gate B4").sender("Acme").into(),
    ];
    let failover = Failover::after_seconds(60, vec![account.clone(), account]);
    let ids = setup.client.call(messages::SendFailoverMessage::new(to, channels, failover)).await?;
    t.expect(ids.len() == 2, "the response has one id for each channel");
    setup.sandbox.advance(Duration::from_secs(59)).await;
    let sms = MessageFilter::to(to).channel("sms");
    t.expect(setup.sandbox.messages(&sms).await.is_empty(), "after 59 seconds no SMS has arrived");
    setup.sandbox.advance(Duration::from_secs(1)).await;
    t.expect(setup.sandbox.messages(&sms).await.len() == 1, "after 60 seconds the SMS has arrived");
    Ok(())
}

/// One message to three phones.
pub(crate) async fn bulk(setup: &Setup, t: &mut Transcript) -> Result<(), Failure> {
    t.step("A bulk message over a chat channel");
    let phones = ["306900000011", "306900000012", "306900000013"];
    let sent = setup
        .client
        .call(messages::SendBulkMessage::new(phones, MessengerA::text("We open at nine")))
        .await?;
    t.say(format!("bulk {}", sent.bulk_id.as_deref().unwrap_or("-")));
    let destinations: Vec<_> =
        sent.messages.iter().filter_map(|message| message.destination.as_deref()).collect();
    t.expect(destinations == phones, "one message for each destination");
    Ok(())
}
