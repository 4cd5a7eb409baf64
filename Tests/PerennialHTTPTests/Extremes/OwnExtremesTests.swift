import AppStoreFormats
import HTTPTypes
import Hummingbird
import Perennial
import PerennialDelivery
import TestSupport
import Testing

@testable import PerennialHTTP

/// Every number, time and duration of every operation in `openapi.json` takes extreme values: none of them ends the process,
/// and none is answered as a failure of ours.
struct OwnExtremesTests {
    /// The environments whose time an operation says: what is accepted there does its harm there.
    private static let places = [
        "control/v1/clock/advance": "/environments/staging", "control/v1/environments": "/environments/further",
    ]

    private struct Progress: Sendable {
        var form: Int
        var variant: Int
        var isDone: Bool
    }

    @Test(arguments: try await DescribedServer.operations().map(\.name))
    func `no number ends the process or is answered as a failure`(name: String) async throws {
        let operation = try #require(try await DescribedServer.operations().first { $0.name == name })
        var progress = Progress(form: 0, variant: 0, isDone: false)
        while !progress.isDone {
            let start = progress
            progress = try await SampleWorld.run { try await Self.check(operation, from: start, $0) }
        }
    }

    /// Sends variants of a form's sample, up to one that was accepted: what follows begins in a new world, where it reaches
    /// as deep.
    private static func check(
        _ operation: APIOperation, from start: Progress, _ samples: OwnSamples
    ) async throws -> Progress {
        let name = operation.name
        let forms = try samples.requests(operation)
        let sample = forms[start.form]
        let variants = try sample.variants()
        let next = Progress(form: start.form + 1, variant: -1, isDone: start.form + 1 == forms.count)
        let isFirst = start.variant < 0 || (start.form == 0 && start.variant == 0)
        if isFirst {
            let reply = try await send(try sample.asItIs(), samples.server)
            #expect(operation.statuses.contains(reply.status), "\(name) as it is: \(reply.status) is undocumented")
            #expect(
                SampleRequest.isWellFormed(reply.status),
                "\(name) as it is: \(reply.status) \(String(decoding: reply.body, as: UTF8.self))")
            if variants.isEmpty { return next }
            // What reads leaves the world as it was.
            if operation.method != .get { return Progress(form: start.form, variant: 1, isDone: false) }
        }
        for index in (isFirst ? 0 : start.variant - 1)..<variants.count {
            let variant = variants[index]
            let reply = try await send(variant, samples.server)
            #expect(reply.status < 500, "\(name), \(variant.words): \(reply.status)")
            // Without one of its parts a path is another one, which may need another body.
            let others: Set<Int> = variant.words.hasSuffix("}: ") ? [400, 405] : [405]
            #expect(
                operation.statuses.union(others).contains(reply.status),
                "\(name), \(variant.words): \(reply.status) is undocumented")
            let place = places[operation.path]
            guard operation.method != .get, (200..<300).contains(reply.status), variant.isNumber || place != nil
            else { continue }
            for answer in try await samples.probe(place ?? OwnSamples.place) {
                #expect(answer.status < 500, "\(name), \(variant.words), then \(answer.words): \(answer.status)")
            }
            return index + 1 == variants.count
                ? next : Progress(form: start.form, variant: index + 2, isDone: false)
        }
        return next
    }

    @Test func `a query without a parameter that it needs is refused with the parameter's name`() async throws {
        let operations = try await DescribedServer.operations().filter { $0.query.contains(where: \.isRequired) }
        #expect(operations.count > 10)
        try await SampleWorld.run { samples in
            for operation in operations {
                for sample in try samples.requests(operation) {
                    for name in operation.query.filter(\.isRequired).map(\.name) {
                        for value in [nil, ""] {
                            var request = sample
                            request.query[name] = value
                            let reply = try await Self.send(try request.asItIs(), samples.server)
                            #expect(reply.status == 400, "\(operation.name) with \(name): \(value ?? "none")")
                            let answer = String(decoding: reply.body, as: UTF8.self)
                            #expect(answer.contains("\"field\":\"\(name)\""), "\(operation.name): \(answer)")
                        }
                    }
                }
            }
        }
    }

    private static func send(_ variant: SampleRequest.Variant, _ server: StoreServer) async throws -> StoreServer.Reply
    {
        try await server.send(variant.method, variant.uri, variant.body, headers: variant.headers)
    }
}
