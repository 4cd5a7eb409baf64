#if os(Linux)
    // The module StoreKit exports only this one, and this one exports Foundation. So a file that imports StoreKit alone sees
    // Foundation through OpenStoreKit, whose `Bundle.appStoreReceiptURL` shadows Foundation's, which is always `nil`.
    @_exported public import Foundation
    @_exported public import FoundationNetworking
#endif
