import Foundation
import Perennial

extension SKError {
    /// The error in the store's answer; what is no error of the protocol's is `unknown`.
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

    /// No answer at all.
    init(noAnswer error: TransportError) {
        let message =
            switch error.code {
            case .noConnection: "the store can't be reached"
            case .timedOut: "the store didn't answer in time"
            case .answerTooLarge: "the store's answer is too large"
            }
        self.init(.unknown, message: message, isAmbiguous: true)
    }

    /// Whether the store has refused the purchase itself, and keeps that answer for good under the purchase's key: nothing
    /// was sold, and nothing ever will be under it. All else says nothing of what an earlier request came to.
    var decidesPurchase: Bool {
        isStoresAnswer && storeErrorCode.flatMap(PurchaseRefusal.Code.init(rawValue:)) != nil
    }

    /// An error of the device's files.
    init(_ error: StorageError) {
        self.init(.unknown, message: "the device's files can't be used: \(error.reason)")
    }

    /// Any error, as StoreKit would tell of it.
    init(wrapping error: any Error) {
        switch error {
        case let error as SKError: self = error
        case let error as StorageError: self.init(error)
        case let error as TransportError: self.init(noAnswer: error)
        default: self.init(.unknown, message: String(describing: error))
        }
    }
}

/// A failure as the payment queue's journal keeps it.
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
