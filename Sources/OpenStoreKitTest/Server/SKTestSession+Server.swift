import AppStoreFormats
import Foundation
import Hummingbird
import OpenStoreKit
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStore

extension SKTestSession {
    /// Serves the session's store over HTTP on a free port of this machine, for a backend under test; an addition to StoreKitTest.
    ///
    /// The URL is that of the session's environment: the App Store Server API is below `inApps/`, receipts are verified by
    /// `verifyReceipt`, and another client signs in under `store/v1`. Changes made there are visible in StoreKit's next answer.
    /// Content that was set with ``setContent(_:of:file:filename:version:published:)`` is served at the server's `delivery/v1`, outside
    /// of the environment, as ``contentServerURL()`` says.
    /// A second call returns the same URL. The server ends with the session.
    ///
    /// - Returns: Base URL of the environment, without a slash at its end.
    /// - Throws: ``SKTestError`` `.serviceUnavailable`.
    @discardableResult
    public func startServer() async throws -> URL {
        let core = core
        return try await throwingTestErrors { try await core.startServer() }
    }

    /// Serves the session's store, and returns the URL for a ``DeliveryClient`` of its content server; an addition to StoreKitTest.
    ///
    /// - Throws: ``SKTestError`` `.serviceUnavailable`.
    public func contentServerURL() async throws -> URL {
        let core = core
        return try await throwingTestErrors { URL(string: "http://127.0.0.1:\(try await core.server().port)/")! }
    }

    /// Token of the server's `control/v1`, with which a test can do what an operator can; an addition to StoreKitTest.
    public var controlToken: String { core.host.controlToken }

    /// Bundle ID of the app; an addition to StoreKitTest.
    public var bundleIdentifier: String { core.bundleID.rawValue }

    /// Apple ID of the app, as in signed data; an addition to StoreKitTest.
    public var appAppleIdentifier: Int64 { core.host.app.appleID }

    /// Root certificate of signed transactions and notifications in DER, which a server's verifier pins; an addition to StoreKitTest.
    /// All sessions of the process have the same.
    public var rootCertificate: Data {
        get throws { Data(try ProcessSigning.identities.get().rootCertificate) }
    }

    /// Root certificate of receipts in DER; an addition to StoreKitTest. Its key takes some tenths of a second in the process's first
    /// use of receipts.
    public var receiptRootCertificate: Data {
        get throws { Data(try ProcessSigning.identities.get().receiptRootCertificate) }
    }

    /// The app's shared secret for `verifyReceipt`; an addition to StoreKitTest.
    public var sharedSecret: String { core.host.app.sharedSecret }

    /// A key of the App Store Server API.
    public struct ServerAPIKey: Sendable, Hashable {
        /// ID of the key, the `kid` of its tokens.
        public let id: String
        /// ID of the issuer, the `iss` of its tokens.
        public let issuerID: String
        /// Private key in PEM, as in a `.p8` file.
        public let privateKey: String
    }

    /// Makes a key with which a backend calls the App Store Server API of ``startServer()``; an addition to StoreKitTest.
    public func makeServerAPIKey() async throws -> ServerAPIKey { try await makeKey(.serverAPI) }

    /// Makes a key with which a backend signs promotional offers; an addition to StoreKitTest.
    public func makePromotionalOfferKey() async throws -> ServerAPIKey { try await makeKey(.promotionalOffer) }

    private func makeKey(_ kind: APIKey.Kind) async throws -> ServerAPIKey {
        let core = core
        let issued = try await throwingTestErrors { try await core.host.keys.make(kind, for: core.bundleID) }
        return ServerAPIKey(id: issued.key.id, issuerID: issued.key.issuerID, privateKey: issued.privateKey)
    }
}

extension SessionCore {
    fileprivate func startServer() async throws -> URL {
        URL(string: "http://127.0.0.1:\(try await server().port)/environments/\(store.environment.name)")!
    }

    fileprivate func server() async throws -> SessionServer {
        if let server = withState({ $0.server }) { return server }
        let connection = connection
        var router = host.router
        router.delivery = try content.routes()
        let made = try await SessionServer(
            SessionResponder(
                HostNameResponder(router.make().buildResponder()), gate: gate, schedule: schedule,
                changed: { [weak connection] in connection?.invalidate() }))
        // Of two servers started at once, one stays.
        let server = withState { state -> SessionServer in
            if let server = state.server { return server }
            state.server = made
            return made
        }
        if server !== made { made.stop() }
        return server
    }
}
