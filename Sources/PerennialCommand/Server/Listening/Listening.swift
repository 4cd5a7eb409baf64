import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle
import UnixSignals

/// Runs a server until it is asked to stop.
enum Listening {
    /// - Parameters:
    ///   - command: A command beside the server; its end is the server's.
    ///   - limit: Ends a shutdown that takes too long.
    /// - Throws: ``CommandError`` if the address can't be listened on.
    static func run(
        _ application: some ApplicationProtocol, host: String, port: Int, command: ChildCommand? = nil,
        limit: ShutdownLimit
    ) async throws {
        var configuration = ServiceGroupConfiguration(
            // Shut down in the reverse order: the limit begins first.
            services: [application, limit] as [any Service], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: application.logger)
        if let command {
            configuration.services.append(.init(service: command, successTerminationBehavior: .gracefullyShutdownGroup))
        }
        configuration.maximumGracefulShutdownDuration = .seconds(limit.seconds) + ShutdownLimit.cancellationDelay
        let group = ServiceGroup(configuration: configuration)
        try await inWords(host: host, port: port, option: "--port") {
            do {
                try await group.run()
            } catch is CancellationError {
                // The limit has cut the connections, and warned about it.
            }
        }
    }

    static func inWords(
        host: String, port: Int, option: String, _ listen: () async throws -> Void
    ) async throws {
        do {
            try await listen()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw CommandError(
                "port \(port) of \(host) is taken: stop what listens there, or choose another with \(option)")
        } catch let error as IOError where error.errnoCode == EACCES {
            throw CommandError(
                "listening on port \(port) of \(host) is not permitted: choose one above 1023 with \(option)")
        } catch let error as IOError where [EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.errnoCode) {
            throw CommandError("\(host) is no address of this machine: choose another with --host")
        } catch is SocketAddressError, is SocketAddressError.UnknownHost {
            throw CommandError("there is no host called \(host): choose another with --host")
        }
    }

    /// A URL by which programs of the same machine reach a listener.
    static func reachableURL(scheme: String = "http", host: String, port: Int) -> String {
        switch host {
        case "0.0.0.0", "::": "\(scheme)://localhost:\(port)"
        case _ where host.contains(":"): "\(scheme)://[\(host)]:\(port)"
        default: "\(scheme)://\(host):\(port)"
        }
    }
}
