//! Runs the rules about envelopes.

use super::envelope_context::{self, EnvelopeContext, EnvelopeOptions, Opened};
use super::registry::{Check, RULES, Rule, sort};
use super::settings::Settings;
use crate::finding::{Finding, Severity};
use crate::squad::{Envelope, EnvelopeFile, Envelopes, chain};
use rayon::prelude::*;

/// How many envelopes are judged in one go.
const AT_ONCE: usize = 256;

/// Runs the rules about envelopes over those of a run; findings come sorted as those of [`run`]. Each envelope is
/// read whole once, and let go before the next: memory grows with what is found and with the ids.
pub fn run_envelopes(envelopes: &Envelopes, settings: &Settings, options: EnvelopeOptions) -> Vec<Finding> {
    let active: Vec<(&Rule, Severity)> = RULES
        .iter()
        .map(|rule| (rule, settings.severity(&rule.meta)))
        .filter(|(_, severity)| *severity > Severity::Off)
        .collect();
    let all = envelopes.all();
    let context = |chain| EnvelopeContext::new(envelopes, &all, chain, options);
    let mut findings = Vec::new();

    let each: Vec<_> = active
        .iter()
        .filter_map(|(rule, severity)| match rule.check {
            Check::Envelope(check) => Some((check, rule, *severity)),
            _ => None,
        })
        .collect();
    if !each.is_empty() {
        let judge = |some: &[(&EnvelopeFile, &Envelope)]| {
            let mut contexts: Vec<_> = each.iter().map(|_| context(&[])).collect();
            for (file, envelope) in some.iter().filter(|(file, _)| file.is_judged) {
                let opened = Opened::new(file, envelope, options.mode);
                for (context, (check, ..)) in contexts.iter_mut().zip(&each) {
                    check(context, &opened);
                }
            }
            contexts.into_iter().map(EnvelopeContext::into_drafts).collect::<Vec<_>>()
        };
        let mut drafts: Vec<Vec<_>> = each.iter().map(|_| Vec::new()).collect();
        for part in all.par_chunks(AT_ONCE).map(judge).collect::<Vec<_>>() {
            drafts.iter_mut().zip(part).for_each(|(all, some)| all.extend(some));
        }
        for ((_, rule, severity), drafts) in each.iter().zip(drafts) {
            findings.extend(envelope_context::findings(&rule.meta, *severity, drafts));
        }
    }

    let together = active.iter().filter_map(|(rule, severity)| match rule.check {
        Check::Envelopes(check) => Some((check, rule, *severity)),
        _ => None,
    });
    let together: Vec<_> = together.collect();
    if !together.is_empty() {
        let chain = chain::faults(&all.iter().map(|(_, envelope)| *envelope).collect::<Vec<_>>());
        for (check, rule, severity) in together {
            let mut context = context(&chain);
            check(&mut context);
            findings.extend(envelope_context::findings(&rule.meta, severity, context.into_drafts()));
        }
    }
    sort(&mut findings);
    findings
}
