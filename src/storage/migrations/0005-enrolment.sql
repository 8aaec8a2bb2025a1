-- What changes: what an agent said when it asked to join, and whether its client keeps the token. Existing rows: agents
-- the operator made by hand said nothing. Why: enrolment (rest-api.md 10).

ALTER TABLE agents ADD COLUMN enrol_note TEXT;
ALTER TABLE agents ADD COLUMN enrol_source TEXT;
ALTER TABLE agents ADD COLUMN enrol_share INTEGER CHECK (enrol_share IN (0, 1));
CREATE INDEX agents_pending ON agents (created_at) WHERE state = 'pending';
