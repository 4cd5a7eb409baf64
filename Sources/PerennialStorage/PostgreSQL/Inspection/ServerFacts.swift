/// The properties of a PostgreSQL server, a database and a role that decide whether a store can use them.
struct ServerFacts: Hashable {
    /// A connection pooler between the node and the server.
    enum Pooler: Hashable {
        case none
        /// Keeps a server's connection for each of the node's.
        case session
        /// Gives the node another server connection for each transaction or statement.
        case transaction
    }

    var pooler = Pooler.none
    var isStandby = false
    /// `default_transaction_read_only`.
    var isReadOnly = false
    var role = "perennial"
    var database = "perennial"
    /// `server_encoding`.
    var encoding = "UTF8"
    /// True if the role may create tables.
    var mayCreate = true
    /// The owners of the store's tables, if the role is none of them; empty for a new database.
    var tableOwners = ""
    /// True if the role may read and write the store's tables, or there are none.
    var mayUseTables = true
    /// `default_transaction_isolation`.
    var isolation = "read committed"
    /// `synchronous_commit`.
    var synchronousCommit = "on"
    /// `synchronous_standby_names`; empty without a synchronous standby.
    var synchronousStandbys = ""
    /// `fsync` and `full_page_writes`.
    var survivesCrash = true
    /// The connections that the role may have to the database.
    var connectionsMax = 97
    /// The free connections among them.
    var connectionsFree = 97
}

extension ServerFacts {
    /// Returns what a store can't work with, or shouldn't, with the cure.
    ///
    /// - Parameter needed: The connections that a node opens.
    func findings(connections needed: Int) -> [DatabaseFinding] {
        var findings: [DatabaseFinding] = []
        if pooler == .transaction {
            findings.append(
                .refusal(
                    """
                    a connection pooler gives each transaction another connection, so prepared statements and time limits \
                    are lost: set pool_mode = session for this database (pgbouncer.ini), or name the server itself
                    """))
        }
        if isStandby {
            findings.append(
                .refusal(
                    """
                    the server is a standby and accepts no writes: name the primary, or all servers and let libpq choose: \
                    postgres://HOST1,HOST2/\(database)?target_session_attrs=read-write
                    """))
        } else if !mayCreate {
            findings.append(
                .refusal(
                    """
                    the role \(role) may not create tables: make it the owner (ALTER DATABASE \(database) OWNER TO \(role)), or \
                    GRANT CREATE ON SCHEMA public TO \(role)
                    """))
        }
        if !isStandby { findings += ownerFindings }
        if encoding != "UTF8" {
            findings.append(
                .refusal(
                    """
                    the database's encoding is \(encoding), which can't hold every name: create it with ENCODING 'UTF8' \
                    TEMPLATE template0
                    """))
        }
        findings += connectionFindings(needed) + durabilityFindings
        if isReadOnly, !isStandby {
            findings.append(
                .warning(
                    """
                    default_transaction_read_only is on: the store writes all the same, since it names the mode of each \
                    transaction itself. If your provider has set it because the disk is full, make room first; \
                    ALTER DATABASE \(database) SET default_transaction_read_only = 'off'
                    """))
        }
        if isolation != "read committed" {
            findings.append(
                .warning(
                    """
                    default_transaction_isolation is \(isolation): the store names the level of each transaction itself, but \
                    other programs that change its tables would fail with conflicts; \
                    ALTER DATABASE \(database) SET default_transaction_isolation = 'read committed'
                    """))
        }
        return findings
    }

    private var ownerFindings: [DatabaseFinding] {
        guard !tableOwners.isEmpty else { return [] }
        let cure = """
            restore with pg_restore --no-owner as \(role), or give them to it, in psql as \(tableOwners): SELECT \
            format('ALTER TABLE %I OWNER TO \(role)', tablename) FROM pg_tables WHERE schemaname = current_schema() \\gexec
            """
        guard mayUseTables else {
            return [
                .refusal(
                    "the tables belong to \(tableOwners), as after a restoration, and \(role) may not use them: \(cure)"
                )
            ]
        }
        return [
            .warning(
                """
                the tables belong to \(tableOwners), so that \(role) can't change them when a version needs that: \(cure)
                """)
        ]
    }

    private func connectionFindings(_ needed: Int) -> [DatabaseFinding] {
        let cure = """
            raise max_connections in postgresql.conf and restart the server, lower reserved_connections, or raise the limit of the \
            role or the database (ALTER ROLE \(role) CONNECTION LIMIT, ALTER DATABASE \(database) CONNECTION LIMIT)
            """
        if connectionsMax < needed {
            return [
                .refusal(
                    """
                    the server admits \(connectionsMax) connections of \(role) to \(database), and a node needs \(needed): \(cure)
                    """)
            ]
        }
        guard connectionsFree < needed else { return [] }
        return [
            .warning(
                """
                only \(connectionsFree) of \(connectionsMax) connections are free, and this node needs \(needed): requests may \
                wait or fail; \(cure)
                """)
        ]
    }

    private var durabilityFindings: [DatabaseFinding] {
        if !survivesCrash {
            return [
                .warning(
                    """
                    fsync or full_page_writes is off: a crash of the server's machine can destroy the database; set both to on \
                    in postgresql.conf and reload
                    """)
            ]
        }
        if synchronousCommit == "off" {
            return [
                .warning(
                    """
                    synchronous_commit is off: the last purchases that customers were told about are lost if the server \
                    crashes; ALTER DATABASE \(database) SET synchronous_commit = 'on'
                    """)
            ]
        }
        guard synchronousCommit == "local", !synchronousStandbys.isEmpty else { return [] }
        return [
            .warning(
                """
                synchronous_commit is local although there is a synchronous standby: the last purchases are lost in a \
                failover; ALTER DATABASE \(database) SET synchronous_commit = 'on'
                """)
        ]
    }
}
