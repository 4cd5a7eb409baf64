import AppStoreFormats
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import PerennialHTTP
import PerennialStorage
import PerennialStore
import ServiceLifecycle

extension Serve {
    /// Puts the server's URL into the certificates.
    func publish(_ port: Int, _ authority: CertificateAuthority) {
        let base = publicURL ?? Listening.reachableURL(host: host, port: port)
        do {
            try authority.publish(at: CertificateURLs(base: base))
        } catch {
            Terminal.warn("the certificates keep the URL that this server had before: \(error)")
        }
    }

    /// Answers until the process is asked to stop.
    func listen<Responder: HTTPResponder>(
        _ responder: Responder, _ services: [any Service], _ identities: SigningIdentities, _ command: ChildCommand?,
        _ logger: Logger, whenOpen: @escaping @Sendable (OpenListeners.Ports) throws -> Void,
        abandon: @escaping @Sendable () -> Void
    ) async throws
    where Responder.Context: RequestContext & InitializableFromSource<ApplicationRequestContextSource> {
        let readiness = ReadinessService(publish: whenOpen)
        let count = secure.isOn ? 2 : 1
        let listeners = OpenListeners(expecting: count, whenOpen: readiness.open)
        let connections = OpenConnections()
        let server = ConnectionLimits().http1(connections)
        let responder = HostPolicyResponder(hostPolicy, responder)
        var application = Application(
            responder: responder, server: server,
            configuration: network.configuration(host: host, port: port, listeners: count, logger: logger),
            services: services + [readiness],
            onServerRunning: { await listeners.opened(plain: $0.localAddress?.port ?? 0) },
            logger: logger)
        if secure.isOn {
            let certificate = try ServerCertificate(
                names: secure.names(host: host), root: identities, now: WallClock.now())
            application.addServices(
                try TLSListener(
                    responder: responder, server: server, certificate: certificate,
                    configuration: network.configuration(
                        host: host, port: secure.port, listeners: count, logger: logger),
                    host: host, port: secure.port, logger: logger, opened: { await listeners.opened(secure: $0) }))
        }
        try await Listening.run(
            application, host: host, port: port, command: command,
            limit: ShutdownLimit(seconds: network.shutdownTimeout, connections: connections, abandon: abandon))
    }

    /// The server's own names: the App Store's among them.
    private var hostPolicy: HostPolicy {
        let published = publicURL.flatMap { URL(string: $0)?.host }
        return HostPolicy(
            listeningOn: host,
            names: HostNames.all + (secure.isOn ? secure.names(host: host) : []) + (published.map { [$0] } ?? []),
            allowed: network.allowedHosts)
    }
}
