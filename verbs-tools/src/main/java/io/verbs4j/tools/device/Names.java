/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.AtomicCap;
import io.verbs4j.Mtu;
import io.verbs4j.PortState;

/** Words of {@code ibv_devinfo(1)} for the codes that the header's own texts word in another way. */
final class Names {
    private Names() {}

    static String portState(int state) {
        return switch (state) {
            case PortState.DOWN -> "PORT_DOWN";
            case PortState.INIT -> "PORT_INIT";
            case PortState.ARMED -> "PORT_ARMED";
            case PortState.ACTIVE -> "PORT_ACTIVE";
            default -> "invalid state";
        };
    }

    static String mtu(int mtu) {
        return mtu < Mtu.MTU_256 || mtu > Mtu.MTU_4096 ? "invalid MTU" : Integer.toString(Mtu.toBytes(mtu));
    }

    static String atomicCap(int cap) {
        return cap < AtomicCap.NONE || cap > AtomicCap.GLOB ? "invalid atomic capability" : AtomicCap.toString(cap);
    }

    static String width(int width) {
        return switch (width) {
            case 1 -> "1";
            case 2 -> "4";
            case 4 -> "8";
            case 8 -> "12";
            case 16 -> "2";
            default -> "invalid width";
        };
    }

    static String speed(int speed) {
        return switch (speed) {
            case 1 -> "2.5 Gbps";
            case 2 -> "5.0 Gbps";
            case 4, 8 -> "10.0 Gbps";
            case 16 -> "14.0 Gbps";
            case 32 -> "25.0 Gbps";
            case 64 -> "50.0 Gbps";
            case 128 -> "100.0 Gbps";
            case 256 -> "200.0 Gbps";
            default -> "invalid speed";
        };
    }

    static String virtualLanes(int code) {
        return switch (code) {
            case 1 -> "1";
            case 2 -> "2";
            case 3 -> "4";
            case 4 -> "8";
            case 5 -> "15";
            default -> "invalid value";
        };
    }
}
