import CPostgreSQL

/// A connection URL with what we add to it.
struct PostgreSQLAddress {
    /// What comes before the URL can be changed by it; what comes after can't.
    private let settings: [(keyword: String, value: String)]

    init(url: String) {
        settings = [
            ("application_name", "perennial"),
            // In seconds, until the server has let us in.
            ("connect_timeout", "5"),
            // A server whose machine is gone is noticed after half a minute, not after hours.
            ("keepalives_idle", "30"),
            ("tcp_user_timeout", "30000"),
            ("dbname", url),
            ("client_encoding", "UTF8"),
        ]
    }

    /// - Returns: A connection that may have failed, or nil when there is no memory for one.
    func connect() -> OpaquePointer? {
        Self.withCStrings(settings.map(\.keyword)) { keywords in
            Self.withCStrings(settings.map(\.value)) { values in
                PQconnectdbParams(keywords, values, 1)
            }
        }
    }

    /// Lends C strings with a null pointer behind the last.
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
