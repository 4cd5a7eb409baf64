import ArgumentParser
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import PerennialHTTP

/// The options of a server's network: host names, connections, shutdown.
struct NetworkOptions: ParsableArguments {
    @Option(
        name: .customLong("allow-host"), parsing: .singleValue,
        help: ArgumentHelp(
            "A host name under which this server answers besides its own: NAME, *.NAME or *; may be repeated. One that listens beyond loopback answers under every name where none is given.",
            valueName: "name"))
    var allowedHosts: [HostPolicy.Pattern] = []

    @Option(
        name: .customLong("maximum-connections"),
        help: ArgumentHelp(
            "How many connections a listener has open at most; further ones wait. 4096 if omitted, or what the system's limit of open files permits.",
            valueName: "count"))
    var maximumConnections: Int?

    @Option(
        name: .customLong("shutdown-timeout"),
        help: ArgumentHelp(
            "How long a shutdown waits for what runs; then it is cut, and the server ends.", valueName: "seconds"))
    var shutdownTimeout = 8

    func validate() throws {
        if let maximumConnections, !(1...1_000_000).contains(maximumConnections) {
            throw ValidationError("--maximum-connections is 1 to 1000000.")
        }
        guard (0...3600).contains(shutdownTimeout) else { throw ValidationError("--shutdown-timeout is 0 to 3600.") }
    }
}

extension NetworkOptions {
    private static let usualMaximum = 4096
    /// The open files for databases, content and outbound connections.
    private static let reservedFiles = 256

    /// Returns the configuration of each listener.
    func configuration(host: String, port: Int, listeners: Int = 1, logger: Logger) -> ApplicationConfiguration {
        let maximum = Self.connections(
            maximumConnections ?? Self.usualMaximum, listeners: listeners, files: sysconf(Int32(_SC_OPEN_MAX)))
        if let maximumConnections, maximum < maximumConnections {
            Terminal.warn("the system's limit of open files permits \(maximum) connections: raise it with ulimit -n")
        }
        return ApplicationConfiguration(
            address: .hostname(host, port: port), serverName: nil,
            availableConnectionsDelegate: MaximumAvailableConnections(maximum, logger: logger))
    }

    /// Returns the connections for each listener. A listener that runs out of open files ends.
    ///
    /// - Parameter files: The limit of open files; -1 for none.
    static func connections(_ wanted: Int, listeners: Int, files: Int) -> Int {
        files < 0 ? wanted : min(wanted, max(1, (files - reservedFiles) / listeners))
    }
}

/// The addresses to which URLs of others than the operator may lead.
struct OutboundOptions: ParsableArguments {
    enum Allowance: ExpressibleByArgument, Equatable {
        case any, `public`
        case block(AddressBlock)

        init?(argument: String) {
            switch argument {
            case "any": self = .any
            case "public": self = .public
            default:
                guard let block = AddressBlock(argument) else { return nil }
                self = .block(block)
            }
        }
    }

    @Option(
        name: .customLong("allow-outbound"), parsing: .singleValue,
        help: ArgumentHelp(
            "Addresses that URLs of sellers and redirects may lead to besides public ones: ADDRESS, ADDRESS/BITS, any, or public for no more; may be repeated. any on loopback, public elsewhere.",
            valueName: "addresses"))
    var allowances: [Allowance] = []

    /// - Parameter host: The address on which the server listens.
    func addresses(host: String) -> OutboundAddresses {
        if allowances.contains(.any) || allowances.isEmpty && HostPolicy.isLoopback(host) { return .any }
        return .public(
            and: allowances.compactMap {
                guard case .block(let block) = $0 else { return nil }
                return block
            })
    }
}

extension HostPolicy.Pattern: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
