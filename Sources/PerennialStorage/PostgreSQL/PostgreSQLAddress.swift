import CPostgreSQL

/// A connection URL with our own settings.
struct PostgreSQLAddress {
    /// Settings in order: the URL overrides those before it, and those after it override the URL.
    private let settings: [(keyword: String, value: String)]

    init(url: String) {
        settings = [
            ("application_name", "perennial"),
            // In seconds, until the session is established.
            ("connect_timeout", "5"),
            // A lost machine is noticed after half a minute instead of hours.
            ("keepalives_idle", "30"),
            ("tcp_user_timeout", "30000"),
            ("dbname", url),
            ("client_encoding", "UTF8"),
        ]
    }

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
