import Foundation
import Perennial

extension SKError {
    /// Reads the error of a store's answer; `unknown` for an answer outside of the protocol.
    init(_ answer: HTTPAnswer) {
        let isAmbiguous = answer.status >= 500
        guard let content = try? JSONDecoder().decode(ErrorAnswer.self, from: answer.body).error else {
            let code: Code = answer.status == 401 || answer.status == 400 ? .clientInvalid : .unknown
            self.init(code, message: "the store answered with HTTP status \(answer.status)", isAmbiguous: isAmbiguous)
            return
        }
        self.init(
            content.skError.flatMap(Code.init(rawValue:)) ?? .unknown, message: content.message,
            storeErrorCode: content.code, field: content.field, isAmbiguous: isAmbiguous, isStoresAnswer: true)
    }

    /// Makes an error of a request without an answer.
    init(noAnswer error: TransportError) {
        let message =
            switch error.code {
            case .noConnection: "the store can't be reached"
            case .timedOut: "the store didn't answer in time"
            case .answerTooLarge: "the store's answer is too large"
            }
        self.init(.unknown, message: message, isAmbiguous: true)
    }

    /// True if the store refused the purchase, and keeps this answer under the purchase's idempotency key for good. Other errors
    /// say nothing of an earlier request under the key.
    var decidesPurchase: Bool {
        isStoresAnswer && storeErrorCode.flatMap(PurchaseRefusal.Code.init(rawValue:)) != nil
    }

    /// Makes an error from one of the device's files.
    init(_ error: FileError) {
        self.init(.unknown, message: "the device's files can't be used: \(error.reason)")
    }

    /// Makes a StoreKit error from any error.
    init(wrapping error: any Error) {
        switch error {
        case let error as SKError: self = error
        case let error as FileError: self.init(error)
        case let error as TransportError: self.init(noAnswer: error)
        default: self.init(.unknown, message: String(describing: error))
        }
    }
}

/// An error in the payment queue's journal.
struct RecordedFailure: Codable, Sendable, Equatable {
    var code: SKError.Code
    var message: String
    var storeErrorCode: String?
    var field: String?

    init(_ error: SKError) {
        self.code = error.code
        self.message = error.message
        self.storeErrorCode = error.storeErrorCode
        self.field = error.field
    }

    var error: SKError {
        SKError(code, message: message, storeErrorCode: storeErrorCode, field: field)
    }
}
