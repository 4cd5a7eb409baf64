import Foundation
import OpenStoreKitTest
import Testing

@Suite("Errors and numbers of StoreKitTest")
struct SKTestErrorTests {
    @Test("Codes and domain are Apple's")
    func codes() {
        #expect(SKTestErrorDomain == "SKTestErrorDomain")
        let codes: [(SKTestError.Code, Int)] = [
            (.serviceUnavailable, 0), (.invalidProductIdentifier, 1), (.invalidProductType, 2), (.invalidURL, 3),
            (.fileNotFound, 4), (.noSubscriptionFound, 5), (.noTransactionFound, 6), (.invalidAction, 7),
        ]
        for (code, number) in codes {
            #expect(code.rawValue == number)
            #expect(SKTestError(code).errorCode == number)
        }
    }

    @Test("Errors bridge to NSError and match by code")
    func bridging() {
        let error: any Error = SKTestError(.fileNotFound, userInfo: ["key": "value"])
        #expect((error as NSError).domain == SKTestErrorDomain)
        #expect((error as NSError).code == 4)
        #expect((error as NSError).userInfo["key"] as? String == "value")
        do {
            throw error
        } catch SKTestError.fileNotFound {
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("Rates have Apple's numbers")
    func rates() {
        let rates: [Int: SKTestSession.TimeRate] = [
            0: .realTime, 1: .oneHourIsOneDay, 2: .thirtyMinutesIsOneDay, 3: .fiveMinutesIsOneDay,
            4: .oneMinuteIsOneDay, 5: .thirtySecondsIsOneDay, 6: .oneSecondIsOneDay, 10: .monthlyRenewalEveryHour,
            11: .monthlyRenewalEveryThirtyMinutes, 12: .monthlyRenewalEveryFifteenMinutes,
            13: .monthlyRenewalEveryFiveMinutes, 15: .monthlyRenewalEveryThirtySeconds,
            1000: .oneRenewalEveryFifteenMinutes, 1001: .oneRenewalEveryFiveMinutes, 1002: .oneRenewalEveryMinute,
            1003: .oneRenewalEveryThirtySeconds, 1004: .oneRenewalEveryTenSeconds, 1005: .oneRenewalEveryTwoSeconds,
        ]
        for (number, rate) in rates { #expect(SKTestSession.TimeRate(rawValue: number) == rate) }
        #expect(SKTestSession.TimeRate(rawValue: 7) == nil)
    }
}
