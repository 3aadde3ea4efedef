//! The rules: one file each, with metadata, documentation, function and tests.
//!
//! A rule looks at values that were read and reports findings; it never parses markdown and never prints.

mod context;
mod judge;
mod registry;
mod settings;
mod shared;
mod surroundings;
#[cfg(test)]
mod testing;

mod ack_before_message;
mod ack_contradicts_status;
mod ack_missing;
mod blocked_without_dependency;
mod closed_row_incomplete;
mod closed_status_not_terminal;
mod closure_owner_cannot_close;
mod closure_owner_missing;
mod closure_owner_unneeded;
mod conflict_marker;
mod control_character;
mod decision_index_malformed;
mod decision_not_indexed;
mod disposition_malformed;
mod field_swallowed;
mod handoff_actor_mismatch;
mod handoff_field_missing;
mod handoff_next_owner_unknown;
mod handoff_status_unknown;
mod heading_broken;
mod inbox_count_wrong;
mod inbox_oldest_wrong;
mod invalid_text;
mod log_oversized;
mod message_field_missing;
mod message_id_date_mismatch;
mod message_id_duplicate;
mod message_id_malformed;
mod message_in_two_places;
mod message_not_archived;
mod message_priority_unknown;
mod message_status_unknown;
mod message_type_unknown;
mod messages_out_of_order;
mod nothing_recognized;
mod part_not_read;
mod payload_checksum_mismatch;
mod payload_chunk_missing;
mod payload_missing;
mod payload_too_large;
mod placeholder_left;
mod queue_out_of_sync;
mod revision_not_acknowledged;
mod session_number_regressed;
mod status_block_missing;
mod status_line_duplicate;
mod status_line_long;
mod status_line_misplaced;
mod status_line_missing;
mod table_cell_count;
mod terminal_message_active;
mod test_evidence_missing;
mod timestamp_malformed;
mod timestamp_missing;
mod timestamps_out_of_order;
mod unclosed_fence;

mod archive_mismatch;
mod document_deleted;
mod entries_reordered;
mod entry_edited;
mod entry_inserted;
mod entry_removed;
mod merge_lost_entry;
mod merge_spliced_entry;

pub use context::{Context, Draft};
pub use judge::Reporter;
pub use registry::{Check, RULES, Rule, find, run, run_change, suggest};
pub use settings::Settings;
pub use surroundings::{Files, Surroundings, resolve};
