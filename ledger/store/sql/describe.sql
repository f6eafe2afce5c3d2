-- Every object in the ledger's schema that affects what is recorded, with its form. The forms are the same on every supported
-- version of PostgreSQL. Run it with an empty search_path, so that every name is qualified.
WITH relation AS (
    SELECT * FROM pg_class WHERE relnamespace = 'combatlog'::regnamespace
)
SELECT 'table ' || relname AS object,
    format('kind %s, persistence %s, row security %s', relkind, relpersistence, relrowsecurity OR relforcerowsecurity)
FROM relation WHERE relkind NOT IN ('i', 'I', 'S', 'c')
UNION ALL
SELECT format('column %s of %s', attname, relname),
    concat_ws(' ', format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'not null' END,
        nullif(attidentity::text, ''), nullif(attgenerated::text, ''), pg_get_expr(adbin, adrelid))
FROM relation r JOIN pg_attribute a ON a.attrelid = r.oid AND attnum > 0 AND NOT attisdropped
LEFT JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum
WHERE relkind NOT IN ('i', 'I', 'S', 'c')
UNION ALL
SELECT format('constraint %s of %s', conname, relname),
    pg_get_constraintdef(c.oid) || CASE WHEN convalidated THEN '' ELSE ' not validated' END
FROM relation r JOIN pg_constraint c ON c.conrelid = r.oid AND contype <> 'n' -- before PostgreSQL 18, they had no names
UNION ALL
SELECT format('%sindex %s', CASE WHEN indisunique THEN 'unique ' END, relname),
    pg_get_indexdef(indexrelid) || CASE WHEN indisvalid AND indisready THEN '' ELSE ' not valid' END
FROM relation r JOIN pg_index i ON i.indexrelid = r.oid
UNION ALL
SELECT 'sequence ' || relname,
    format('%s by %s from %s, %s at once, cycle %s', seqtypid::regtype, seqincrement, seqmin, seqcache, seqcycle)
FROM relation r JOIN pg_sequence s ON s.seqrelid = r.oid
UNION ALL
SELECT format('trigger %s on %s', tgname, relname),
    pg_get_triggerdef(t.oid) || CASE tgenabled
        WHEN 'A' THEN ', always enabled' WHEN 'D' THEN ', disabled' WHEN 'R' THEN ', enabled on replicas only'
        ELSE ', not enabled on replicas' END
FROM relation r JOIN pg_trigger t ON t.tgrelid = r.oid AND NOT tgisinternal
UNION ALL
SELECT format('rule %s on %s', rulename, relname), pg_get_ruledef(w.oid)
FROM relation r JOIN pg_rewrite w ON w.ev_class = r.oid
UNION ALL
SELECT format('policy %s on %s', polname, relname), 'row security'
FROM relation r JOIN pg_policy p ON p.polrelid = r.oid
UNION ALL
SELECT format('table %s that inherits from %s', inhrelid::regclass, inhparent::regclass), 'inheritance'
FROM pg_inherits WHERE inhparent IN (SELECT oid FROM relation) OR inhrelid IN (SELECT oid FROM relation)
UNION ALL
SELECT format('function %s(%s)', proname, pg_get_function_identity_arguments(p.oid)),
    concat_ws(', ', lanname, pg_get_function_result(p.oid), 'volatility ' || provolatile::text,
        CASE WHEN prosecdef THEN 'with its owner''s rights' END, array_to_string(proconfig, ' '),
        'source ' || encode(sha256(convert_to(coalesce(pg_get_function_sqlbody(p.oid), prosrc), 'UTF8')), 'hex'))
FROM pg_proc p JOIN pg_language l ON l.oid = prolang WHERE pronamespace = 'combatlog'::regnamespace
UNION ALL
SELECT format('right of %s to %s on %s', CASE WHEN grantee = 0 THEN 'everybody' ELSE grantee::regrole::text END, privilege_type,
        object), CASE WHEN is_grantable THEN 'with the right to grant it' ELSE 'granted' END
FROM (
    SELECT relname, (aclexplode(coalesce(relacl, acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", relowner)))).*
    FROM relation WHERE relkind NOT IN ('i', 'I', 'c')
    UNION ALL
    SELECT format('%s of %s', attname, relname), (aclexplode(attacl)).*
    FROM relation r JOIN pg_attribute a ON a.attrelid = r.oid
    UNION ALL
    SELECT proname, (aclexplode(coalesce(proacl, acldefault('f', proowner)))).*
    FROM pg_proc WHERE pronamespace = 'combatlog'::regnamespace
    UNION ALL
    SELECT 'the schema', (aclexplode(coalesce(nspacl, acldefault('n', nspowner)))).*
    FROM pg_namespace WHERE nspname = 'combatlog'
) AS acl (object)
WHERE grantee = 0 OR grantee::regrole::text IN ('combatlog_writer', 'combatlog_auditor')
