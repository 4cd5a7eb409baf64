import ArgumentParser

/// `perennial run [OPTIONS] -- COMMAND`: runs a command beside a store of its own.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "run", "Run a command beside a store of its own, which ends with it.",
        """
        Takes the options of perennial serve. Without --data and --database the store is in memory, without --port it takes
        a free one. The command finds it in PERENNIAL_URL, PERENNIAL_TOKEN and PERENNIAL_READY_FILE; its exit code is that of
        perennial run.
        """,
        examples: [
            "run --catalog Examples/Magazine/catalog.yaml -- printenv PERENNIAL_URL",
            "run --catalog Examples/Magazine/catalog.yaml -- perennial products list",
        ])

    private static let separator = "--"

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The options of perennial serve, then -- and the command.", valueName: "options -- command"))
    var arguments: [String] = []

    func run() async throws {
        guard let (serve, command) = try parsed() else { throw CleanExit.helpRequest(Self.self) }
        let child = ChildCommand(command)
        do {
            try await serve.run(with: child)
        } catch let error as CommandError {
            guard let status = child.exitCode else { throw error }
            Terminal.error("Error: \(error)")
            throw ExitCode(status)
        }
    }

    /// The server and the command; `nil` if help is asked for.
    ///
    /// - Throws: `ValidationError` without a command, and the errors of the options of `perennial serve`.
    func parsed() throws -> (serve: Serve, command: [String])? {
        let options = Array(arguments.prefix { $0 != Self.separator })
        if options.contains("--help") || options.contains("-h") { return nil }
        let command = Array(arguments.dropFirst(options.count + 1))
        guard !command.isEmpty else {
            throw ValidationError("Say -- and a command, such as: perennial run --in-memory -- printenv PERENNIAL_URL")
        }
        var serve: Serve
        do {
            serve = try Serve.parse(options)
        } catch {
            throw ValidationError(Serve.message(for: error))
        }
        func says(_ option: String) -> Bool { options.contains { $0 == option || $0.hasPrefix("\(option)=") } }
        if !says("--port") { serve.port = 0 }
        if !says("--data"), !says("--database") { serve.place.inMemory = true }
        return (serve, command)
    }
}
