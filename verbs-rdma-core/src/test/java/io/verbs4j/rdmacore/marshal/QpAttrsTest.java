/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.layout.QpAttrLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class QpAttrsTest {
    private static final int ALL = (1 << 21) - 1;

    /** Every field has its own value, without zero bytes. */
    private static QpAttr distinct() {
        return new QpAttr()
                .qpState(0x01010101)
                .curQpState(0x02020202)
                .pathMtu(0x03030303)
                .pathMigState(0x04040404)
                .qkey(0x05050505)
                .rqPsn(0x06060606)
                .sqPsn(0x07070707)
                .destQpNum(0x08080808)
                .qpAccessFlags(0x09090909)
                .cap(capacities())
                .ahAttr(AhAttrsTest.distinct(0))
                .altAhAttr(AhAttrsTest.distinct(1))
                .pkeyIndex(0xf1f2)
                .altPkeyIndex(0xf3f4)
                .enSqdAsyncNotify(true)
                .maxRdAtomic(0xe1)
                .maxDestRdAtomic(0xe2)
                .minRnrTimer(0xe3)
                .portNum(0xe4)
                .timeout(0xe5)
                .retryCnt(0xe6)
                .rnrRetry(0xe7)
                .altPortNum(0xe8)
                .altTimeout(0xe9);
    }

    private static QpCap capacities() {
        return new QpCap()
                .maxSendWr(0x0a0a0a0a)
                .maxRecvWr(0x0b0b0b0b)
                .maxSendSge(0x0c0c0c0c)
                .maxRecvSge(0x0d0d0d0d)
                .maxInlineData(0x0e0e0e0e);
    }

    private static final Map<Integer, Function<QpAttr, Object>> FIELDS = fields();

    /** {@return the field of each mask bit} */
    private static Map<Integer, Function<QpAttr, Object>> fields() {
        Map<Integer, Function<QpAttr, Object>> fields = new LinkedHashMap<>();
        fields.put(QpAttrMask.STATE, QpAttr::qpState);
        fields.put(QpAttrMask.CUR_STATE, QpAttr::curQpState);
        fields.put(QpAttrMask.EN_SQD_ASYNC_NOTIFY, QpAttr::enSqdAsyncNotify);
        fields.put(QpAttrMask.ACCESS_FLAGS, QpAttr::qpAccessFlags);
        fields.put(QpAttrMask.PKEY_INDEX, QpAttr::pkeyIndex);
        fields.put(QpAttrMask.PORT, QpAttr::portNum);
        fields.put(QpAttrMask.QKEY, QpAttr::qkey);
        fields.put(QpAttrMask.PATH_MTU, QpAttr::pathMtu);
        fields.put(QpAttrMask.TIMEOUT, QpAttr::timeout);
        fields.put(QpAttrMask.RETRY_CNT, QpAttr::retryCnt);
        fields.put(QpAttrMask.RNR_RETRY, QpAttr::rnrRetry);
        fields.put(QpAttrMask.RQ_PSN, QpAttr::rqPsn);
        fields.put(QpAttrMask.MAX_QP_RD_ATOMIC, QpAttr::maxRdAtomic);
        fields.put(QpAttrMask.MIN_RNR_TIMER, QpAttr::minRnrTimer);
        fields.put(QpAttrMask.SQ_PSN, QpAttr::sqPsn);
        fields.put(QpAttrMask.MAX_DEST_RD_ATOMIC, QpAttr::maxDestRdAtomic);
        fields.put(QpAttrMask.PATH_MIG_STATE, QpAttr::pathMigState);
        fields.put(QpAttrMask.DEST_QPN, QpAttr::destQpNum);
        fields.put(
                QpAttrMask.AV,
                a -> text(a.ahAttr().grh().dgid(), a.ahAttr().dlid(), a.ahAttr().portNum()));
        fields.put(
                QpAttrMask.ALT_PATH,
                a -> text(
                        a.altAhAttr().grh().dgid(),
                        a.altAhAttr().portNum(),
                        a.altPkeyIndex(),
                        a.altPortNum(),
                        a.altTimeout()));
        fields.put(
                QpAttrMask.CAP,
                a -> text(
                        a.cap().maxSendWr(),
                        a.cap().maxRecvWr(),
                        a.cap().maxSendSge(),
                        a.cap().maxRecvSge(),
                        a.cap().maxInlineData()));
        return fields;
    }

    private static String text(Object... values) {
        return java.util.Arrays.toString(values);
    }

    @Test
    void writtenAttributesAreReadBack() {
        try (Scratch c = new Scratch(QpAttrLayout.SIZEOF)) {
            QpAttrs.write("modify_qp", c.address(), distinct(), ALL);
            QpAttr found = new QpAttr();
            QpAttrs.read(c.address(), found);
            assertThat(found.sqDraining()).isFalse();
            assertThat(found).usingRecursiveComparison().ignoringFields("mask").isEqualTo(distinct());
            AhAttrsTest.assertSame(found.ahAttr(), AhAttrsTest.distinct(0));
            AhAttrsTest.assertSame(found.altAhAttr(), AhAttrsTest.distinct(1));
            NativeMemory.putByte(c.address() + QpAttrLayout.SQ_DRAINING, 1);
            QpAttrs.read(c.address(), found);
            assertThat(found.sqDraining()).isTrue();
        }
    }

    /** Each bit writes its own field and no other. */
    @Test
    void maskSelectsWrittenAttributes() {
        assertThat(FIELDS.keySet().stream().mapToInt(Integer::intValue).sum()).isEqualTo(ALL);
        QpAttr all = distinct();
        for (int bit : FIELDS.keySet()) {
            try (Scratch c = new Scratch(QpAttrLayout.SIZEOF)) {
                QpAttrs.write("modify_qp", c.address(), distinct(), bit);
                QpAttr found = new QpAttr();
                QpAttrs.read(c.address(), found);
                TreeSet<Integer> written = new TreeSet<>();
                FIELDS.forEach((other, field) -> {
                    if (field.apply(found).equals(field.apply(all))) {
                        written.add(other);
                    }
                });
                assertThat(written).as(QpAttrMask.toString(bit)).containsExactly(bit);
            }
        }
    }

    @Test
    void capacitiesAreReadBack() {
        try (Scratch c = new Scratch(20)) {
            QpAttrs.writeCap(c.address(), capacities());
            for (int i = 0; i < 5; i++) {
                assertThat(NativeMemory.getByte(c.address() + 4L * i)).isEqualTo(0x0a + i);
            }
            QpCap found = new QpCap();
            assertThat(QpAttrs.readCap(c.address(), found)).isSameAs(found);
            assertThat(found).usingRecursiveComparison().isEqualTo(capacities());
        }
    }
}
