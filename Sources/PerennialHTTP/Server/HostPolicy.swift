import HTTPTypes
import Hummingbird
import Logging
import PerennialStore

/// The host names under which a server answers, and from whose web pages.
///
/// A web page can lead a name of its own to this machine (DNS rebinding) and so read a store's answers on loopback; the name
/// in the request gives it away. A page of another site can send without reading; its origin gives it away.
package struct HostPolicy: Sendable, Hashable {
    /// A name, `*.` and the name that others end in, or `*` for every name.
    package struct Pattern: Sendable, Hashable {
        fileprivate let name: String
        fileprivate let isSuffix: Bool

        package init?(_ text: String) {
            isSuffix = text.hasPrefix("*.")
            if text == "*" {
                name = text
            } else if let host = HostField(isSuffix ? text.dropFirst(2) : text[...]), host.port == nil {
                name = host.name
            } else {
                return nil
            }
        }

        fileprivate func matches(_ host: HostField) -> Bool {
            name == "*" || (isSuffix ? host.name.hasSuffix("." + name) : host.name == name)
        }
    }

    private let allowed: [Pattern]
    /// True if addresses are allowed as well: no name server can lead those elsewhere.
    private let allowsAddresses: Bool

    /// A policy that allows every name.
    package static let any = HostPolicy(["*"].compactMap(Pattern.init))

    private init(_ allowed: [Pattern], allowsAddresses: Bool = false) {
        self.allowed = allowed
        self.allowsAddresses = allowsAddresses
    }

    /// Makes the policy of a server.
    ///
    /// - Parameters:
    ///   - host: The address that it listens on. Beyond loopback it answers under every name, unless some are allowed.
    ///   - names: Its own names, besides those of loopback.
    ///   - allowed: The names that the operator allows.
    package init(listeningOn host: String, names: [String], allowed: [Pattern]) {
        let isLoopback = Self.isLoopback(host)
        guard isLoopback || !allowed.isEmpty else {
            self = .any
            return
        }
        self.init(allowed + (names + [host]).compactMap(Pattern.init), allowsAddresses: !isLoopback)
    }

    /// Returns true if a server that listens on a host is reached from this machine only.
    package static func isLoopback(_ host: String) -> Bool {
        (HostField(host) ?? HostField("[\(host)]"))?.isLoopback ?? false
    }

    /// - Parameter host: `Host`; without one it is no browser that asks.
    func allows(host: String?) -> Bool {
        guard self != .any, let host else { return true }
        guard let host = HostField(host) else { return false }
        return host.isLoopback || allowsAddresses && host.addressBytes != nil || matches(host)
    }

    /// - Parameters:
    ///   - origin: `Origin`; a request without one is no other site's.
    ///   - host: `Host`, which is allowed.
    func allows(origin: String?, host: String?) -> Bool {
        guard self != .any, let origin else { return true }
        guard let scheme = ["http://", "https://"].first(where: { origin.lowercased().hasPrefix($0) }),
            let site = HostField(origin.dropFirst(scheme.count))
        else { return false }
        return site.isLoopback || site.name == host.flatMap { HostField($0) }?.name || matches(site)
    }

    private func matches(_ host: HostField) -> Bool { allowed.contains { $0.matches(host) } }
}

/// Passes on the requests that a ``HostPolicy`` allows, and refuses the others.
package struct HostPolicyResponder<Base: HTTPResponder>: HTTPResponder where Base.Context: RequestContext {
    package typealias Context = Base.Context

    private let policy: HostPolicy
    private let base: Base

    package init(_ policy: HostPolicy, _ base: Base) {
        self.policy = policy
        self.base = base
    }

    package func respond(to request: Request, context: Base.Context) async throws -> Response {
        let host = request.head.authority
        if !policy.allows(host: host) {
            return try refuse(
                "hostNotAllowed",
                "this server doesn't answer under the name \(host ?? ""); --allow-host \(host ?? "") lets it", request,
                context)
        }
        if let origin = request.headers[.origin], !policy.allows(origin: origin, host: host) {
            return try refuse(
                "originNotAllowed",
                "this server doesn't answer web pages of \(origin); --allow-host with its name lets it", request,
                context)
        }
        return try await base.respond(to: request, context: context)
    }

    /// Refuses a request before the router and its observer, and logs it as they do.
    private func refuse(
        _ code: String, _ reason: String, _ request: Request, _ context: Base.Context
    ) throws -> Response {
        let (method, path) = (request.method.rawValue, LiveRedaction.text(request.uri.path))
        context.logger.info("refused: \(method) \(path) 403 \(code): \(LiveRedaction.text(reason))")
        return try APIError(.forbidden, code, reason).response(from: request, context: context)
    }
}
