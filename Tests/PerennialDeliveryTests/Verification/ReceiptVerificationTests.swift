import Foundation
import Logging
import Perennial
import PerennialDelivery
import Testing

struct ReceiptVerificationTests {
    static let good = #"{"status":0,"receipt":{"bundle_id":"com.example.magazine","in_app":[]}}"#

    private func verify(
        _ script: [ScriptedStore.Line], target: VerificationTarget = .apple,
        dependencies: RecordedPacing = RecordedPacing(),
        policy: VerificationRetryPolicy = VerificationRetryPolicy()
    ) async -> (result: Result<AuthenticReceipt, any Error>, store: ScriptedStore, waits: [Duration]) {
        let store = ScriptedStore(script)
        let verification = ReceiptVerification(
            target: target, endpoint: store, policy: policy, dependencies: dependencies.dependencies,
            logger: quietLogger)
        do {
            let receipt = try await verification.verify(receipt: "cmVjZWlwdA==", password: "secret")
            return (.success(receipt), store, dependencies.waits)
        } catch {
            return (.failure(error), store, dependencies.waits)
        }
    }

    @Test func `production is asked first, with receipt and shared secret`() async throws {
        let (result, store, waits) = await verify([.answer(Self.good)])
        #expect(try result.get().environment == .production)
        #expect(store.asked == ["https://buy.itunes.apple.com/verifyReceipt"])
        #expect(store.bodies == [#"{"password":"secret","receipt-data":"cmVjZWlwdA=="}"#])
        #expect(waits.isEmpty)
    }

    @Test func `21007 leads to sandbox at once`() async throws {
        let (result, store, waits) = await verify([.status(21007), .answer(Self.good)])
        #expect(try result.get().environment == .sandbox)
        #expect(
            store.asked == [
                "https://buy.itunes.apple.com/verifyReceipt", "https://sandbox.itunes.apple.com/verifyReceipt",
            ])
        #expect(waits.isEmpty)
    }

    @Test func `21008 from interchanged URLs leads to the other one`() async throws {
        let (result, store, _) = await verify(
            [.status(21008), .answer(Self.good)], target: .perennial(baseURL: "http://store/"))
        #expect(try result.get().bundleID.rawValue == "com.example.magazine")
        #expect(store.asked == ["http://store/verifyReceipt", "http://store/sandbox/verifyReceipt"])
    }

    @Test func `two environments that name each other fail`() async {
        let (result, store, _) = await verify([.status(21007), .status(21008)])
        #expect(failure(result)?.code == .storeUnavailable)
        #expect(store.asked.count == 2)
    }

    @Test func `a sandbox receipt is refused without a sandbox URL`() async {
        let target = VerificationTarget(production: "http://store", sandbox: nil)
        let (result, store, _) = await verify([.status(21007)], target: target)
        #expect(failure(result)?.code == .sandboxReceiptRefused)
        #expect(failure(result)?.receiptStatus == 21007)
        #expect(store.asked.count == 1)
    }

    @Test(arguments: [21002, 21003, 21006, 21010])
    func `a final status is refused without a retry`(status: Int) async {
        let (result, store, _) = await verify([.status(status)])
        #expect(failure(result)?.code == .receiptInvalid)
        #expect(failure(result)?.receiptStatus == status)
        #expect(store.asked.count == 1)
    }

    @Test func `a refused secret has its code and no retry`() async {
        let (result, store, _) = await verify([.status(21004)])
        #expect(failure(result)?.code == .sharedSecretWrong)
        #expect(failure(result)?.receiptStatus == 21004)
        #expect(store.asked.count == 1)
    }

    @Test(arguments: [21000, 21001, 1, -1, 21200])
    func `an unknown status grants nothing and is not repeated`(status: Int) async {
        let (result, store, _) = await verify([.status(status)])
        #expect(failure(result)?.code == .storeUnavailable)
        #expect(store.asked.count == 1)
    }

    static let passing: [ScriptedStore.Line] = [
        .status(21005), .status(21009), .status(21100), .status(21199, retryable: true), .noAnswer,
        .answer("", http: 500), .answer("<html>", http: 503), .answer("", http: 429), .answer("<html>"), .answer("{}"),
        .answer("[]"), .answer(#"{"status":"no number"}"#), .answer(#"{"status":0}"#),
        .answer(#"{"status":0,"receipt":{"in_app":[]}}"#), .answer(String(repeating: "[", count: 100_000)),
    ]

    @Test(arguments: passing.indices)
    func `a temporary failure is retried, then verified`(index: Int) async throws {
        let (result, store, waits) = await verify([Self.passing[index], Self.passing[index], .answer(Self.good)])
        #expect(try result.get().bundleID.rawValue == "com.example.magazine")
        #expect(store.asked.count == 3)
        #expect(waits == [.milliseconds(250), .milliseconds(500)])
    }

    @Test(arguments: passing.indices)
    func `a permanent failure grants nothing after bounded attempts`(index: Int) async {
        let (result, store, waits) = await verify([Self.passing[index]])
        #expect(failure(result)?.code == .storeUnavailable)
        #expect(store.asked.count == 5)
        #expect(waits == [.milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2)])
    }

    @Test func `an internal failure that is not retryable is not retried`() async {
        let (result, store, _) = await verify([.status(21150, retryable: false)])
        #expect(failure(result)?.code == .storeUnavailable)
        #expect(store.asked.count == 1)
    }

    @Test func `jitter shortens a delay to half at most`() async {
        let (_, _, waits) = await verify([.noAnswer], dependencies: RecordedPacing(fraction: 0))
        #expect(waits == [.milliseconds(125), .milliseconds(250), .milliseconds(500), .seconds(1)])
    }

    @Test func `delays have a maximum, and the time is limited`() async {
        let policy = VerificationRetryPolicy(maximumAttempts: 100, maximumDelay: .seconds(4), maximumTime: .seconds(20))
        let (result, store, waits) = await verify([.noAnswer], policy: policy)
        #expect(failure(result)?.code == .storeUnavailable)
        #expect(waits == [0.25, 0.5, 1, 2, 4, 4, 4, 4].map { .seconds($0) })
        #expect(store.asked.count == waits.count + 1)
    }

    @Test func `Retry-After is respected, and fails if it is too long`() async throws {
        let (patient, _, waits) = await verify([.answer("", http: 503, retryAfter: 3), .answer(Self.good)])
        #expect(throws: Never.self) { try patient.get() }
        #expect(waits == [.seconds(3)])
        let (impatient, store, _) = await verify([.answer("", http: 503, retryAfter: 60), .answer(Self.good)])
        #expect(failure(impatient)?.code == .storeUnavailable)
        #expect(store.asked.count == 1)
    }

    @Test func `sandbox has attempts of its own`() async throws {
        let script: [ScriptedStore.Line] = Array(repeating: .status(21005), count: 4) + [.status(21007)]
        let (result, store, _) = await verify(
            script + Array(repeating: .status(21009), count: 4) + [.answer(Self.good)])
        #expect(try result.get().environment == .sandbox)
        #expect(store.asked.count == 10)
    }
}

func failure<Value>(_ result: Result<Value, any Error>) -> DeliveryError? {
    guard case .failure(let error) = result else { return nil }
    return error as? DeliveryError
}

let quietLogger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
