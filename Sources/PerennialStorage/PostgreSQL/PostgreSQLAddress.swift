import CPostgreSQL

/// A connection URL with our own settings.
struct PostgreSQLAddress {
    /// Settings in order: the URL overrides those before it, and those after it override the URL.
    let settings: [(keyword: String, value: String)]

    init(url: String) {
        // Of several hosts the first may be a standby by now, which answers, and sells nothing.
        let hosts = Self.hostCount(url)
        let target = hosts > 1 ? [("target_session_attrs", "primary")] : []
        settings =
            target + [
                ("application_name", "perennial"),
                // In seconds for each host, until the session is established.
                ("connect_timeout", "\(max(Self.hostSeconds, Self.connectSeconds / hosts))"),
                // A lost machine is noticed after seconds instead of hours.
                ("keepalives_idle", "\(Self.keepaliveIdleSeconds)"),
                ("keepalives_interval", "\(Self.keepaliveIntervalSeconds)"),
                ("keepalives_count", "\(Self.keepaliveCount)"),
                ("tcp_user_timeout", "\(Self.unacknowledgedMilliseconds)"),
                ("dbname", url),
                ("client_encoding", "UTF8"),
            ]
    }

    /// Returns the number of hosts: 2 for `postgres://one,two/store` and `postgres:///store?host=one,two`.
    static func hostCount(_ url: String) -> Int {
        guard let scheme = url.firstRange(of: "://") else { return 1 }
        let rest = url[scheme.upperBound...]
        let (place, query) = (rest.prefix { $0 != "?" }, rest.drop { $0 != "?" }.dropFirst())
        let authority = place.prefix { $0 != "/" }
        let hosts = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let named = query.split(separator: "&").filter { $0.hasPrefix("host=") || $0.hasPrefix("hostaddr=") }
        let counts = ([hosts] + named).map {
            $0.lowercased().replacing("%2c", with: ",").split(separator: ",", omittingEmptySubsequences: false).count
        }
        return counts.max() ?? 1
    }

    /// The longest time that a connection takes, to all hosts of a URL together where they are two.
    static let connectSeconds = 5
    /// Seconds that each of several hosts has at least. libpq takes no less.
    private static let hostSeconds = 2
    private static let keepaliveIdleSeconds = 5
    private static let keepaliveIntervalSeconds = 2
    private static let keepaliveCount = 3
    /// Milliseconds that sent data may stay unacknowledged.
    private static let unacknowledgedMilliseconds = 6_000

    /// Returns the settings of a new session.
    ///
    /// The server's limits are a little shorter than ours, so that a live server keeps its connection. A node that is suspended
    /// inside a transaction or has lost its machine must not hold its locks for long: the server looks after its side too.
    static func sessionSettings(_ options: DatabaseOptions) -> [String] {
        [
            "SET lock_timeout = \(max(1, options.lockTimeoutMilliseconds))",
            "SET client_min_messages = warning",
            "SET statement_timeout = \(options.statementTimeout(.standard))",
            "SET idle_in_transaction_session_timeout = \(options.idleTransactionMilliseconds)",
            "SET tcp_keepalives_idle = \(keepaliveIdleSeconds)",
            "SET tcp_keepalives_interval = \(keepaliveIntervalSeconds)",
            "SET tcp_keepalives_count = \(keepaliveCount)",
            "SET tcp_user_timeout = \(unacknowledgedMilliseconds)",
        ]
    }

    /// Reads which server this is, which database, and on which timeline: the name of the log's file begins with its number.
    static let identity = """
        SELECT (SELECT system_identifier FROM pg_control_system()) || '/'
        || (SELECT oid FROM pg_database WHERE datname = current_database()) || '/'
        || CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END
        """

    /// True for the identity of a server that follows another one.
    static func isStandby(_ identity: String?) -> Bool { identity?.hasSuffix("/standby") ?? false }

    /// Connects.
    /// - Returns: A connection that may have failed, or `nil` if there is no memory for one.
    func connect() -> OpaquePointer? {
        Self.withCStrings(settings.map(\.keyword)) { keywords in
            Self.withCStrings(settings.map(\.value)) { values in
                PQconnectdbParams(keywords, values, 1)
            }
        }
    }

    /// Passes strings to a body as C strings, with a null pointer behind the last.
    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafePointer<CChar>?]) -> Result
    ) -> Result {
        func lend(_ rest: ArraySlice<String>, _ lent: [UnsafePointer<CChar>?]) -> Result {
            guard let first = rest.first else { return body(lent + [nil]) }
            return first.withCString { lend(rest.dropFirst(), lent + [$0]) }
        }
        return lend(strings[...], [])
    }
}
