/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.RxHashConf;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.layout.QpInitAttrExLayout;
import io.verbs4j.rdmacore.marshal.QpInitMask;
import io.verbs4j.rdmacore.object.NativeRwqIndTable;

/** Writes how a queue pair spreads packets over work queues to a {@code struct ibv_qp_init_attr_ex}. */
final class RssAttrs {
    private static final long BITS = QpInitAttrMask.IND_TABLE | QpInitAttrMask.RX_HASH;
    private static final int MOST_KEY = 0xff;

    private RssAttrs() {}

    /** {@return whether a queue pair receives by work queues} */
    static boolean isSet(QpInitAttrEx attr) {
        return (attr.compMask() & BITS) != 0;
    }

    /** {@return how much memory the struct needs, including the key behind it} */
    static int size(QpInitAttrEx attr) {
        return QpInitAttrExLayout.SIZEOF + (isSet(attr) ? MOST_KEY : 0);
    }

    /** Writes the attributes to a struct of that size whose mask is already set. */
    static void write(String verb, long at, QpInitAttrEx attr) {
        if (!isSet(attr)) {
            return;
        }
        RxHashConf conf = attr.rxHashConf();
        byte[] key = conf.rxHashKey();
        QpInitMask.add(at, BITS);
        NativeMemory.putLong(at + QpInitAttrExLayout.RWQ_IND_TBL, ((NativeRwqIndTable) attr.rwqIndTbl()).ibv.address());
        NativeMemory.putByte(
                at + QpInitAttrExLayout.RX_HASH_CONF_RX_HASH_FUNCTION,
                Answers.narrow(verb, "rxHashFunction", conf.rxHashFunction(), 0xff));
        NativeMemory.putByte(
                at + QpInitAttrExLayout.RX_HASH_CONF_RX_HASH_KEY_LEN,
                Answers.narrow(verb, "the length of rxHashKey", key.length, MOST_KEY));
        NativeMemory.putLong(at + QpInitAttrExLayout.RX_HASH_CONF_RX_HASH_KEY, at + QpInitAttrExLayout.SIZEOF);
        NativeMemory.putBytes(at + QpInitAttrExLayout.SIZEOF, key);
        NativeMemory.putLong(at + QpInitAttrExLayout.RX_HASH_CONF_RX_HASH_FIELDS_MASK, conf.rxHashFieldsMask());
    }
}
