import Perennial

extension CatalogFile {
    /// Where an app's server notifications go, on each of the App Store's two sides.
    public struct Notifications: Hashable, Sendable {
        public var production: Receiver?
        public var sandbox: Receiver?

        /// The seller's server for one of the two sides; what is left out is as usual.
        public struct Receiver: Hashable, Sendable {
            /// It begins with `http://` or `https://`.
            public var url: String
            /// 2 or 1.
            public var version: Int64?
            /// `app-store`, `full` or `none`.
            public var retries: String?
            /// For one attempt.
            public var timeoutMilliseconds: Int64?
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
