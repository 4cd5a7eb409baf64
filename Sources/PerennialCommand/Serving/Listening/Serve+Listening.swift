import AppStoreFormats
import Hummingbird
import Logging
import PerennialHTTP
import PerennialStorage
import PerennialStore
import ServiceLifecycle

extension Serve {
    /// What happens once all listeners are there: the certificates say where this server is, and everybody is told.
    func opened(
        _ announcement: Announcement, _ home: DataHome, _ authority: CertificateAuthority, _ ready: ReadyFile
    ) -> @Sendable (OpenListeners.Ports) throws -> Void {
        { [self] ports in
            publish(ports.plain, authority)
            var announcement = announcement.at(Listening.reachableURL(host: host, port: ports.plain))
            announcement.tls = ports.secure.map {
                Announcement.TLSModel(host: host, port: $0, trust: home.rootCertificatePEMPath)
            }
            try ready.write(announcement)
            Terminal.out(announcement.banner(database: home.location.description, readyFile: ready.path))
        }
    }

    /// Makes the certificates say where this server is.
    func publish(_ port: Int, _ authority: CertificateAuthority) {
        let base = publicURL ?? Listening.reachableURL(host: host, port: port)
        do {
            try authority.publish(at: CertificateURLs(base: base))
        } catch {
            Terminal.warn("the certificates keep saying where this server was before: \(error)")
        }
    }

    /// Answers until the process is asked to stop.
    func listen<Responder: HTTPResponder>(
        _ responder: Responder, _ services: [any Service], _ home: DataHome, _ logger: Logger,
        whenOpen: @escaping @Sendable (OpenListeners.Ports) throws -> Void
    ) async throws where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let readiness = Readiness(announce: whenOpen)
        let listeners = OpenListeners(expecting: secure.isOn ? 2 : 1, whenOpen: readiness.open)
        var application = Application(
            responder: responder, server: ConnectionLimits.http1,
            configuration: .init(address: .hostname(host, port: port), serverName: nil),
            services: services + [readiness],
            onServerRunning: { await listeners.opened(plain: $0.localAddress?.port ?? 0) },
            logger: logger)
        if secure.isOn {
            let certificate = try ServerCertificate(
                names: secure.names(host: host), root: home.identities, now: WallClock.now())
            application.addServices(
                try TLSListener(
                    responder: responder, certificate: certificate, host: host, port: secure.port, logger: logger,
                    opened: { await listeners.opened(secure: $0) }))
        }
        try await Listening.run(application, host: host, port: port)
    }
}
