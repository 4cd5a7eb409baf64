import Foundation
import Perennial

/// A failed request of the client, with the facts that its own decisions need.
///
/// App code gets it as an ``SKError``, or as an error of StoreKit 2.
struct StoreFailure: Error, Hashable, CustomStringConvertible {
    var code: SKError.Code
    /// Message of the store or the client, for people.
    var message: String
    /// Error code of the store's protocol; `nil` without an answer of the store.
    var storeErrorCode: String?
    /// The request's invalid field; `nil` if no field is at fault.
    var field: String?
    /// True if the request may have been carried out: without a reliable answer.
    var isAmbiguous: Bool
    /// True for an error in the store's protocol.
    var isStoresAnswer: Bool
    /// Code of the network's error; `nil` if there was an answer.
    var urlErrorCode: URLError.Code?

    init(
        _ code: SKError.Code, message: String, storeErrorCode: String? = nil, field: String? = nil,
        isAmbiguous: Bool = false, isStoresAnswer: Bool = false, urlErrorCode: URLError.Code? = nil
    ) {
        self.code = code
        self.message = message
        self.storeErrorCode = storeErrorCode
        self.field = field
        self.isAmbiguous = isAmbiguous
        self.isStoresAnswer = isStoresAnswer
        self.urlErrorCode = urlErrorCode
    }

    /// Reads the error of a store's answer; `unknown` for an answer outside of the protocol.
    init(_ answer: HTTPAnswer) {
        let isAmbiguous = answer.status >= 500
        guard let content = try? JSONDecoder().decode(ErrorAnswer.self, from: answer.body).error else {
            let code: SKError.Code = answer.status == 401 || answer.status == 400 ? .clientInvalid : .unknown
            self.init(code, message: "the store answered with HTTP status \(answer.status)", isAmbiguous: isAmbiguous)
            return
        }
        self.init(
            content.skError.flatMap(SKError.Code.init(rawValue:)) ?? .unknown, message: content.message,
            storeErrorCode: content.code, field: content.field, isAmbiguous: isAmbiguous, isStoresAnswer: true)
    }

    /// Makes an error of a request without an answer.
    init(noAnswer error: TransportError) {
        let (message, code): (String, URLError.Code) =
            switch error.code {
            case .noConnection: ("the store can't be reached", .cannotConnectToHost)
            case .timedOut: ("the store didn't answer in time", .timedOut)
            case .answerTooLarge: ("the store's answer is too large", .dataLengthExceedsMaximum)
            }
        self.init(.unknown, message: message, isAmbiguous: true, urlErrorCode: code)
    }

    /// Makes a failure of any error.
    init(wrapping error: any Error) {
        switch error {
        case let error as StoreFailure: self = error
        case let error as FileError:
            self.init(.unknown, message: "the device's files can't be used: \(error.reason)")
        case let error as TransportError: self.init(noAnswer: error)
        case let error as Product.PurchaseError:
            self.init(error.skErrorCode, message: error.failureReason ?? "\(error)")
        case let error as StoreKitError: self.init(error)
        case let error as SKError:
            self.init(
                error.code, message: error.userInfo[NSLocalizedDescriptionKey] as? String ?? "",
                storeErrorCode: error.userInfo[SKStoreErrorCodeKey] as? String,
                field: error.userInfo[SKStoreErrorFieldKey] as? String)
        default: self.init(.unknown, message: String(describing: error))
        }
    }

    /// Makes a failure of an error of StoreKit 2, as a session simulates it. Nothing was sent.
    private init(_ error: StoreKitError) {
        let code: SKError.Code =
            switch error {
            case .userCancelled: .paymentCancelled
            case .notAvailableInStorefront: .storeProductNotAvailable
            default: .unknown
            }
        self.init(code, message: error.failureReason ?? "\(error)")
        if case .networkError(let cause) = error { urlErrorCode = cause.code }
    }

    /// The failure of a client without a store.
    static let noStore = StoreFailure(.storeProductNotAvailable, message: "no store is connected")

    /// True if the store refused the purchase, and keeps this answer under the purchase's idempotency key for good. Other errors
    /// say nothing of an earlier request under the key.
    var decidesPurchase: Bool {
        isStoresAnswer && storeErrorCode.flatMap(PurchaseRefusal.Code.init(rawValue:)) != nil
    }

    var description: String {
        let word = storeErrorCode.map { " (\($0))" } ?? ""
        return message.isEmpty ? "\(code)\(word)" : "\(message)\(word)"
    }

    /// The network's error; `nil` if there was an answer.
    var urlError: URLError? {
        urlErrorCode.map { URLError($0, userInfo: [NSLocalizedDescriptionKey: description]) }
    }

    /// Code of the App Store's server for refusals that apps know by it; `nil` for others. Apple reports these as unknown errors.
    ///
    /// Source: bizz84/SwiftyStoreKit pull request 615 (an interrupted purchase, when the terms have changed); RevenueCat/purchases-ios
    /// issue 392 (the customer is subscribed).
    private var serverErrorCode: Int? {
        switch storeErrorCode {
        case "purchaseInterrupted": 3038
        case "alreadySubscribed": 3532
        default: nil
        }
    }

    /// The error for app code of StoreKit 1.
    var skError: SKError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        if let storeErrorCode { info[SKStoreErrorCodeKey] = storeErrorCode }
        if let field { info[SKStoreErrorFieldKey] = field }
        if let urlError { info[NSUnderlyingErrorKey] = urlError }
        guard let serverErrorCode else { return SKError(code, userInfo: info) }
        info[NSUnderlyingErrorKey] = NSError(
            domain: "ASDServerErrorDomain", code: serverErrorCode, userInfo: [NSLocalizedDescriptionKey: description])
        return SKError(.unknown, userInfo: info)
    }
}

extension SKError {
    /// Makes a StoreKit error from any error of the client.
    init(wrapping error: any Error) {
        self = (error as? SKError) ?? StoreFailure(wrapping: error).skError
    }
}

/// An error in the payment queue's journal.
struct RecordedFailure: Codable, Sendable, Equatable {
    /// Raw value of the ``SKError/Code``.
    var code: Int
    var message: String
    var storeErrorCode: String?
    var field: String?
    /// Raw value of the network error's code; `nil` in journals of earlier versions.
    var urlErrorCode: Int?

    init(_ failure: StoreFailure) {
        self.code = failure.code.rawValue
        self.message = failure.message
        self.storeErrorCode = failure.storeErrorCode
        self.field = failure.field
        self.urlErrorCode = failure.urlErrorCode?.rawValue
    }

    var error: SKError {
        StoreFailure(
            SKError.Code(rawValue: code) ?? .unknown, message: message, storeErrorCode: storeErrorCode, field: field,
            urlErrorCode: urlErrorCode.flatMap { URLError.Code(rawValue: $0) }
        ).skError
    }
}
