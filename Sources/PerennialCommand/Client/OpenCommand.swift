import ArgumentParser
import Foundation
import Subprocesses

/// `perennial open`: the web console, signed in.
struct OpenCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        "open", "Open the web console in the browser, signed in.",
        "Asks the store for a link that signs in once, within ten minutes, with all permissions.",
        examples: ["open", "open --print"])

    @Flag(name: .customLong("print"), help: "Print the link instead of opening it.")
    var printsLink = false

    @OptionGroup var store: OperatorOptions

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<Link> = try await client.at(.production).post("control/v1/console/links", NoFields())
        return answer.report { link in
            let url = client.endpoint.url + link.path
            guard !printsLink, !store.server.json, Self.open(url) else { return url }
            return "The console opens in the browser: \(client.endpoint.url)/connect"
        }
    }

    struct Link: Decodable {
        var path: String
        var expires: String
    }

    /// - Returns: False if this machine has no browser to open.
    private static func open(_ url: String) -> Bool {
        #if os(macOS)
            let program = "open"
        #else
            let program = "xdg-open"
            let variables = ProcessInfo.processInfo.environment
            guard variables["DISPLAY"] != nil || variables["WAYLAND_DISPLAY"] != nil else { return false }
        #endif
        let status = try? Subprocess.output(of: "/usr/bin/env", [program, url]).status
        return status == 0
    }
}
