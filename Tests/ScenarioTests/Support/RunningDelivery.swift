import AsyncHTTPClient
import Foundation
import TestSupport

/// `perennial deliver`, ready for requests, with a catalog that sells what ``RunningStore`` does, and a filter with a file.
struct RunningDelivery: Sendable {
    /// Further products of the catalog.
    static let products = """
          - id: filter.rose
            type: non-consumable
            price: 1.99
            localizations: {en_US: {name: Rose, description: Light}}
            content: {id: rose, file: rose.pack}

        """

    let process: PerennialProcess
    let readyFile: String
    let ready: JSONValue

    var url: String { ready["url"]?.text ?? "" }

    /// A folder with the content's file.
    static func makeContent() throws -> String {
        let folder = try TemporaryFolder.make()
        try Data("rose".utf8).write(to: URL(filePath: "\(folder)/rose.pack"))
        return folder
    }

    /// - Parameter appendix: Further products of the catalog's app.
    static func arguments(
        _ more: [String], content: String? = nil, readyFile: String? = nil, appendix: String = products
    ) throws -> [String] {
        let place = try TemporaryFolder.make()
        let catalog = "\(place)/catalog.yaml"
        try Data("\(RunningStore.catalog)\n\(appendix)".utf8).write(to: URL(filePath: catalog))
        return ["deliver", "--port", "0", "--data", "\(place)/data", "--catalog", catalog]
            + ["--content", try content ?? makeContent(), "--ready-file", readyFile ?? "\(place)/ready.json"] + more
    }

    static func start(
        _ more: [String], readyFile: String? = nil, environment: [String: String] = [:]
    ) async throws -> RunningDelivery {
        let readyFile = try readyFile ?? "\(TemporaryFolder.make())/ready.json"
        let process = try PerennialProcess(
            try arguments(more, readyFile: readyFile), environment: environment)
        try await process.untilReady()
        return RunningDelivery(
            process: process, readyFile: readyFile,
            ready: try JSONValue(Data(contentsOf: URL(filePath: readyFile))))
    }

    @discardableResult
    func stop() async -> PerennialProcess.Ended {
        process.signal(SIGTERM)
        return await process.ended()
    }

    /// Asks any Delivery for a grant.
    static func grant(
        _ client: HTTPClient, _ url: String, _ receipt: JSONValue?
    ) async throws -> RunningStore.Reply {
        try await RunningStore.ask(
            client, "\(url)/delivery/v1/grants",
            ["bundleId": .string(RunningStore.bundleID), "receipt": receipt ?? .null])
    }
}
