/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** RateLimit, between two devices: packets through sockets. */
class RateLimitWireTest extends RateLimitBehaviour {
    @Override
    boolean overTheWire() {
        return true;
    }
}
