import BaseEncoding
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOSSL

/// Absolute URLs of an environment's App Store Connect API, below the host that the client used: clients follow them.
struct ConnectLinks: Sendable {
    /// Scheme, host and the environment's part of the path.
    private let base: String
    /// The path of the request: `/v1/apps`.
    let path: String
    /// The URL of the request.
    let requested: String

    init(_ request: Request, _ context: some ConnectionContext) async {
        let place = ConnectPath(request.uri.path)
        let scheme = await Self.isSecure(request, context) ? "https" : "http"
        base = "\(scheme)://\(request.head.authority ?? "localhost")\(place?.prefix ?? "")"
        path = place?.path ?? request.uri.path
        requested = "\(base)\(path)\(request.uri.query.map { "?\($0)" } ?? "")"
    }

    /// - Parameter path: Below the environment: `/v1/apps/1`.
    func url(_ path: String) -> String { base + path }

    /// Returns the URL of a resource. The ID of a group from a file may have any characters.
    func url(_ type: ConnectType, _ id: String) -> String {
        "\(base)/\(type.path)/\(PercentEncoding.encode(id))"
    }

    /// Returns true if the client speaks TLS with this server or with the proxy in front of it.
    private static func isSecure(_ request: Request, _ context: some ConnectionContext) async -> Bool {
        if request.headers[.forwardedProtocol]?.lowercased() == "https" { return true }
        let found: Void? = try? await context.channel.pipeline.containsHandler(type: NIOSSLServerHandler.self).get()
        return found != nil
    }
}

extension HTTPField.Name {
    fileprivate static let forwardedProtocol = Self("X-Forwarded-Proto")!
}
