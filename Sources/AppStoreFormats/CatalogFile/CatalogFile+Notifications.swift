import Perennial

extension CatalogFile {
    /// The receivers of an app's server notifications, for each of the App Store's two environments.
    public struct Notifications: Hashable, Sendable {
        /// The settings for production.
        public var production: Receiver?
        /// The settings for the sandbox.
        public var sandbox: Receiver?

        /// Creates settings.
        public init(production: Receiver? = nil, sandbox: Receiver? = nil) {
            self.production = production
            self.sandbox = sandbox
        }

        /// The seller's server for one environment; missing values are the defaults.
        public struct Receiver: Hashable, Sendable {
            /// The URL, which begins with `http://` or `https://`.
            public var url: String
            /// The version of the notifications: 2 or 1.
            public var version: Int64?
            /// `app-store`, `full` or `none`.
            public var retries: String?
            /// The timeout of one attempt, in milliseconds.
            public var timeoutMilliseconds: Int64?

            /// Creates the settings of a receiver.
            public init(
                url: String, version: Int64? = nil, retries: String? = nil, timeoutMilliseconds: Int64? = nil
            ) {
                self.url = url
                self.version = version
                self.retries = retries
                self.timeoutMilliseconds = timeoutMilliseconds
            }
        }
    }
}

extension CatalogFile.Notifications {
    static let keys = ["production", "sandbox"]

    init(_ node: YAMLNode) throws {
        let fields = try YAMLFields(node, known: Self.keys)
        production = try fields["production"].map(Receiver.init)
        sandbox = try fields["sandbox"].map(Receiver.init)
    }
}

extension CatalogFile.Notifications.Receiver {
    static let keys = ["url", "version", "retries", "timeoutMilliseconds"]

    init(_ node: YAMLNode) throws {
        let fields = try YAMLFields(node, known: Self.keys)
        let place = try fields.required("url")
        url = try place.text()
        guard NotificationTerms.isURL(url) else { throw place.malformed("as url \(NotificationTerms.urlRule)") }
        version = try fields["version"].map { node in
            Int64(try node.word(of: NotificationTerms.Version.allCases.map { "\($0.rawValue)" })) ?? 2
        }
        retries = try fields["retries"]?.word(of: NotificationTerms.Retries.allCases.map(\.rawValue))
        timeoutMilliseconds = try fields["timeoutMilliseconds"]?.integer(NotificationTerms.timeouts)
    }
}
