-- A question that came up in one session is published in other words, under another key. The session in which it came up keeps its own, and is not
-- asked the same again when it goes over to that version: it remembers the key. What was published in the person's own words before is put neutrally.

-- +goose Up
ALTER TABLE elicitation_obligations ADD COLUMN published_as text;
COMMENT ON COLUMN elicitation_obligations.published_as IS 'Key of the objective''s obligation that asks the same in words for everybody; null but for one that came up and was approved.';

-- +goose StatementBegin
CREATE FUNCTION pg_temp.words(said text) RETURNS text
LANGUAGE sql IMMUTABLE
AS $$ SELECT ' ' || btrim(regexp_replace(lower(said), '[^[:alnum:]]+', ' ', 'g')) || ' ' $$;
-- +goose StatementEnd

-- repeats reports whether a text holds four words in a row of what somebody said.
-- +goose StatementBegin
CREATE FUNCTION pg_temp.repeats(question text, said text) RETURNS boolean
LANGUAGE sql IMMUTABLE
AS $$
    SELECT EXISTS (
        SELECT FROM (SELECT string_to_array(btrim(pg_temp.words(question)), ' ') AS list) AS w, generate_series(1, cardinality(w.list) - 3) AS i
        WHERE position(' ' || array_to_string(w.list[i:i + 3], ' ') || ' ' IN pg_temp.words(said)) > 0)
$$;
-- +goose StatementEnd

-- Each tenant in its turn: row-level security holds for the owner of the tables too.
-- +goose StatementBegin
DO $$
DECLARE
    tenant uuid;
    version record;
    o jsonb;
    list jsonb;
    n integer;
    neutral text;
    asks CONSTANT text[] := ARRAY['Is there anything else we should know?', 'Is anything still missing that matters to you?', 'What would you add that nobody has asked about?',
        'What else comes to mind?', 'Is there a point we have not touched on?'];
BEGIN
    FOR tenant IN SELECT id FROM tenants LOOP
        PERFORM set_config('app.tenant', tenant::text, true);
        FOR version IN SELECT id, config FROM discovery_objectives WHERE config::text LIKE '%"came_up.%' LOOP
            list := '[]';
            n := 0;
            FOR o IN SELECT value FROM jsonb_array_elements(version.config -> 'obligations') LOOP
                IF o ->> 'fieldPath' LIKE 'came\_up.%' AND (o ->> 'prompt' LIKE 'You brought up “%' OR EXISTS (
                    SELECT FROM elicitation_obligations AS e JOIN messages AS m USING (tenant_id, session_id)
                    WHERE e.tenant_id = tenant AND e.obligation_key = o ->> 'key' AND e.source = 'approved' AND m.role = 'user'
                        AND (pg_temp.repeats(o ->> 'prompt', m.content) OR pg_temp.repeats(o ->> 'label', m.content)))) THEN
                    n := n + 1;
                    neutral := asks[1 + (n - 1) % cardinality(asks)];
                    UPDATE objective_drafts SET document = replace(replace(document, (o -> 'prompt')::text, to_jsonb(neutral)::text), coalesce((o -> 'label')::text, 'null'), '"Anything else"')
                    WHERE tenant_id = tenant AND position((o -> 'prompt')::text IN document) > 0;
                    UPDATE discovery_objectives SET layering = replace(replace(layering::text, (o -> 'prompt')::text, to_jsonb(neutral)::text), coalesce((o -> 'label')::text, 'null'), '"Anything else"')::json
                    WHERE tenant_id = tenant AND position((o -> 'prompt')::text IN layering::text) > 0;
                    o := (o - '{why,examples,cues,agentNotes}'::text[]) || jsonb_build_object('label', 'Anything else', 'prompt', neutral);
                END IF;
                list := list || jsonb_build_array(o);
            END LOOP;
            IF n > 0 THEN
                UPDATE discovery_objectives SET config = jsonb_set(version.config, '{obligations}', list), updated_at = now() WHERE tenant_id = tenant AND id = version.id;
            END IF;
        END LOOP;
    END LOOP;
    PERFORM set_config('app.tenant', '', true);
END
$$;
-- +goose StatementEnd
DROP FUNCTION pg_temp.repeats;
DROP FUNCTION pg_temp.words;
