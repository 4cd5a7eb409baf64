import HTTPTypes
import Hummingbird

/// The App Store's host names, which its libraries have built in, and the environments that they mean.
package enum HostNames {
    /// The names of the App Store Server API, its older ones, verifyReceipt's, and that of the App Store Connect API.
    package static let production = [
        "api.storekit.apple.com", "api.storekit.itunes.apple.com", "buy.itunes.apple.com",
        "api.appstoreconnect.apple.com",
    ]
    package static let sandbox = [
        "api.storekit-sandbox.apple.com", "api.storekit-sandbox.itunes.apple.com", "sandbox.itunes.apple.com",
        // Of Apple's libraries in the environment LocalTesting.
        "local-testing-base-url",
    ]
    package static var all: [String] { production + sandbox }

    /// The first parts of the paths that each environment has; others are the whole process's.
    private static let environmentPaths: Set<Substring> = [
        "verifyReceipt", "inApps", "advancedCommerce", "store", "control",
    ]

    /// Returns the path of a request to a host, as the router knows it.
    static func path(_ path: String, host: String) -> String {
        var name = host.prefix { $0 != ":" }.lowercased()
        // The same name, said to be whole.
        if name.hasSuffix(".") { name.removeLast() }
        guard sandbox.contains(name),
            let first = path.split(separator: "/", maxSplits: 1).first?.prefix(while: { $0 != "?" }),
            environmentPaths.contains(first)
        else { return path }
        return "/sandbox" + path
    }
}

/// Answers requests to the App Store's host names with the environment they mean.
package struct HostNameResponder<Base: HTTPResponder>: HTTPResponder {
    package typealias Context = Base.Context

    private let base: Base

    package init(_ base: Base) {
        self.base = base
    }

    package func respond(to request: Request, context: Base.Context) async throws -> Response {
        guard let host = request.head.authority, let path = request.head.path,
            case let meant = HostNames.path(path, host: host), meant != path
        else { return try await base.respond(to: request, context: context) }
        var head = request.head
        head.path = meant
        return try await base.respond(to: Request(head: head, body: request.body), context: context)
    }
}
