import ArgumentParser
import Foundation
import Hummingbird
import NIOCore
import NIOPosix
import PerennialHTTP
import TestSupport
import Testing

@testable import PerennialCommand

/// Each error is one line that says what to do.
struct ErrorTests {
    @Test(arguments: [
        ("subscriptions show 7", "7: there is no subscription with that original transaction (transactionNotFound)"),
        ("subscriptions renew 7", "7: there is no subscription with that original transaction (transactionNotFound)"),
        ("quarantine release 7", "7: no subscription of that ID is quarantined (subscriptionNotQuarantined)"),
        ("accounts show bob", "bob: there is no account of that name (accountNotFound)"),
        (
            "accounts create bob --storefront XXX",
            "XXX: a storefront is a three-letter code such as USA (storefrontUnknown)"
        ),
        (
            "clock advance --by P1M",
            "Sandbox: the clock runs on real time and can't be moved; make an environment with a manual clock (clockRunsByItself)"
        ),
        ("clock --environment nowhere", "there is no environment called “nowhere” (environmentNotFound)"),
        ("environments create staging", "staging: an environment of that name is there already (environmentExists)"),
    ])
    func `a refusal has the store's words`(line: String, message: String) async throws {
        try await RunningStore.run { store in
            let words = line.split(separator: " ").map(String.init)
            await #expect {
                _ = try await RunningStore.run(words + store.access)
            } throws: { error in
                #expect("\(error)" == message)
                return Self.endsWithOneLine(error)
            }
        }
    }

    @Test(arguments: [("http://127.0.0.1:1", "unreachable"), (nil, "transactionNotFound")])
    func `an error is JSON for a program`(url: String?, code: String) async throws {
        try await RunningStore.run { store in
            await #expect {
                let access = ["--url", url ?? store.url, "--token", RunningStore.token]
                _ = try await RunningStore.run(["subscriptions", "show", "7"] + access)
            } throws: { error in
                let told = try JSONValue(Array(((error as? StoreClientError)?.json ?? "").utf8))
                #expect(told["error"]?["code"] == .string(code))
                return told["error"]?["message"]?.text?.isEmpty == false
            }
        }
    }

    @Test func `a wrong token is reported`() async throws {
        try await RunningStore.run { store in
            await #expect {
                _ = try await RunningStore.run(["clock", "--url", store.url, "--token", "wrong"])
            } throws: { error in
                "\(error)" == "the control token is wrong (unauthorized)" && Self.endsWithOneLine(error)
            }
        }
    }

    @Test func `an unreachable store is named`() async throws {
        // A port that was free a moment ago, without a listener.
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup).bind(
            host: "127.0.0.1", port: 0
        ).get()
        let url = "http://127.0.0.1:\(try #require(channel.localAddress?.port))"
        try await channel.close()
        await #expect {
            _ = try await RunningStore.run(["environments", "reset", "Sandbox", "--url", url, "--token", "t"])
        } throws: { error in
            #expect(
                "\(error)"
                    == "\(url): no store answers there: start one with perennial serve, or say where it is with --url")
            return Self.endsWithOneLine(error)
        }
    }

    @Test(arguments: [(200, "<html>"), (404, ""), (502, "Bad\nGateway"), (301, "{}")])
    func `an answer of another server is refused`(status: Int, body: String) async throws {
        let router = Router(context: BasicConnectionContext.self)
        router.get("sandbox/control/v1/clock") { _, _ in
            Response(status: .init(code: status), body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
        }
        try await RunningStore.serve(router) { url in
            await #expect {
                _ = try await RunningStore.run(["clock", "--url", url, "--token", "t"])
            } throws: { error in
                (error as? StoreClientError)?.code == .notUnderstood && "\(error)".hasPrefix(url)
                    && Self.endsWithOneLine(error)
            }
        }
    }

    @Test func `a request to a silent store times out`() async throws {
        let (silence, speech) = AsyncStream.makeStream(of: Void.self)
        let router = Router(context: BasicConnectionContext.self)
        router.post("sandbox/control/v1/clock/advance") { _, _ in
            for await _ in silence {}
            return Response(status: .noContent)
        }
        try await RunningStore.serve(router) { url in
            let endpoint = StoreEndpoint(url: url, token: "t")
            await #expect {
                try await StoreClient.withClient(of: endpoint) { client in
                    let _: StoreAnswer<[String: String]> = try await client.post(
                        "control/v1/clock/advance", EmptyBody(), timeout: .milliseconds(50))
                }
            } throws: { error in
                (error as? StoreClientError)?.code == .timedOut && "\(error)".hasPrefix("\(url): no answer within ")
                    && Self.endsWithOneLine(error)
            }
            speech.finish()
        }
    }

    @Test func `a message with line breaks is one line`() {
        let error = StoreClientError(.refused, "word", "one\ntwo\u{1B}[31m")
        #expect(error.description == "one two [31m (word)")
    }

    private static func endsWithOneLine(_ error: any Error) -> Bool {
        let said = PerennialCommand.fullMessage(for: error)
        return said == "Error: \(error)" && !said.contains("\n")
            && PerennialCommand.exitCode(for: error).rawValue == 1
    }
}
