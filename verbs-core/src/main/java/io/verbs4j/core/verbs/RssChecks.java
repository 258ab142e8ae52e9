/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.RxHashConf;
import io.verbs4j.RxHashFields;
import io.verbs4j.RxHashFunction;
import io.verbs4j.VerbsException;
import io.verbs4j.core.base.Arguments;

/** Checks of a queue pair that distributes received packets over work queues. Source: {@code ibv_create_qp_ex(3)}. */
final class RssChecks {
    private static final long BOTH = QpInitAttrMask.IND_TABLE | QpInitAttrMask.RX_HASH;
    private static final long IPV4 = RxHashFields.SRC_IPV4 | RxHashFields.DST_IPV4;
    private static final long IPV6 = RxHashFields.SRC_IPV6 | RxHashFields.DST_IPV6;
    private static final long TCP = RxHashFields.SRC_PORT_TCP | RxHashFields.DST_PORT_TCP;
    private static final long UDP = RxHashFields.SRC_PORT_UDP | RxHashFields.DST_PORT_UDP;
    private static final int TOEPLITZ_KEY = 40;

    private final DeviceVerbs device;

    RssChecks(DeviceVerbs device) {
        this.device = device;
    }

    /** Checks which attributes can be combined, and what the device supports. */
    void check(String verb, QpInitAttrEx attr) {
        if ((attr.compMask() & BOTH) == 0) {
            return;
        }
        Masks.need(verb, attr, BOTH, QpInitAttrMask::toString);
        if (attr.recvCq() != null
                || attr.srq() != null
                || attr.cap() != null
                        && (attr.cap().maxRecvWr() != 0 || attr.cap().maxRecvSge() != 0)) {
            throw Arguments.invalid(
                    verb,
                    "rwqIndTbl is set, so the queue pair has no receive queue of its own; leave out recvCq,"
                            + " srq, cap.maxRecvWr and cap.maxRecvSge");
        }
        Arguments.notNull(verb, "rxHashConf", attr.rxHashConf());
        hash(verb, attr.rxHashConf());
        device(verb, attr, device.deviceIfTold());
    }

    private static void hash(String verb, RxHashConf conf) {
        if (conf.rxHashFunction() == RxHashFunction.TOEPLITZ && conf.rxHashKey().length != TOEPLITZ_KEY) {
            throw Arguments.invalid(
                    verb,
                    "rxHashKey has " + conf.rxHashKey().length + " bytes; the function TOEPLITZ takes " + TOEPLITZ_KEY);
        }
        long fields = conf.rxHashFieldsMask();
        notBoth(verb, fields, IPV4, IPV6);
        notBoth(verb, fields, TCP, UDP);
    }

    private static void notBoth(String verb, long fields, long some, long others) {
        if ((fields & some) != 0 && (fields & others) != 0) {
            throw Arguments.invalid(
                    verb,
                    "rxHashFieldsMask has " + RxHashFields.toString(fields & (some | others))
                            + "; create a queue pair for each of the two protocols");
        }
    }

    /** Compares with the device's limits. What the device does not report, the verb itself finds out. */
    private static void device(String verb, QpInitAttrEx attr, DeviceAttrEx device) {
        if (device.rssSupportedQpts() != 0 && !isOf(device.rssSupportedQpts(), attr.qpType())) {
            throw lacking(verb, "qpType is " + QpType.toString(attr.qpType()), "can't spread packets to these");
        }
        long fields = attr.rxHashConf().rxHashFieldsMask() & ~device.rssRxHashFieldsMask();
        if (device.rssRxHashFieldsMask() != 0 && fields != 0) {
            throw lacking(
                    verb,
                    "rxHashFieldsMask has " + RxHashFields.toString(fields),
                    "hashes " + RxHashFields.toString(device.rssRxHashFieldsMask()));
        }
        int function = attr.rxHashConf().rxHashFunction();
        if (device.rssRxHashFunction() != 0 && (function & ~device.rssRxHashFunction()) != 0) {
            throw lacking(
                    verb,
                    "rxHashFunction is " + RxHashFunction.toString(function),
                    "supports " + RxHashFunction.toString(device.rssRxHashFunction()));
        }
    }

    /** Whether a type has a bit in a mask of 32. */
    private static boolean isOf(int types, int type) {
        return type >= 0 && type < Integer.SIZE && (types & 1 << type) != 0;
    }

    private static VerbsException lacking(String verb, String what, String device) {
        return new VerbsException(
                Errno.EOPNOTSUPP, verb, what + ", but the device " + device + "; use what it supports");
    }
}
