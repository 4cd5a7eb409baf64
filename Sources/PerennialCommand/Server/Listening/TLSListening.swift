import AppStoreFormats
import ArgumentParser
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOSSL
import PerennialHTTP
import ServiceLifecycle

/// The options of the TLS listener.
struct TLSOptions: ParsableArguments {
    @Flag(
        name: .customLong("tls"),
        help: "Answer over TLS, too, under the App Store's own host names, with a certificate from the store's root.")
    var isOn = false

    @Option(
        name: .customLong("tls-port"),
        help: "The port for TLS; 443 is where libraries with fixed host names look, 0 takes a free one.")
    var port = 8443

    @Option(
        name: .customLong("tls-name"), parsing: .singleValue,
        help: ArgumentHelp("A further host name or address for the TLS certificate.", valueName: "name"))
    var furtherNames: [String] = []

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--tls-port is 0 to 65535.") }
    }

    /// The names in the certificate.
    func names(host: String) -> [String] {
        var names = HostNames.all + ["localhost", "127.0.0.1", "::1"]
        for name in [host, ProcessInfo.processInfo.hostName] + furtherNames where !names.contains(name) {
            if !name.isEmpty, name.allSatisfy(\.isASCII) { names.append(name) }
        }
        return names
    }
}

/// The TLS listener of the store, beside the plain one.
struct TLSListener<Responder: HTTPResponder>: Service
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    private let application: Application<Responder>
    private let host: String
    private let port: Int

    init(
        responder: Responder, server: HTTPServerBuilder, certificate: ServerCertificate,
        configuration: ApplicationConfiguration, host: String, port: Int, logger: Logger,
        opened: @escaping @Sendable (Int) async -> Void
    ) throws {
        let chain = try certificate.chain.map { try NIOSSLCertificate(bytes: $0, format: .der) }
        let key = try NIOSSLPrivateKey(bytes: Array(certificate.privateKey.utf8), format: .pem)
        self.host = host
        self.port = port
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        // The minimum of Apple's own servers.
        tls.minimumTLSVersion = .tlsv12
        application = Application(
            responder: responder, server: try .tls(server, tlsConfiguration: tls), configuration: configuration,
            onServerRunning: { await opened($0.localAddress?.port ?? 0) }, logger: logger)
    }

    func run() async throws {
        try await Listening.inWords(host: host, port: port, option: "--tls-port") { try await application.run() }
    }
}
