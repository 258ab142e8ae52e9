/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The state machine of a queue pair. */
class QpStateTableTest {
    private static final int[] TYPES = {QpType.RC, QpType.UC, QpType.UD, QpType.XRC_SEND, QpType.XRC_RECV};

    @Test
    void tableEqualsThatOfKernel() throws Exception {
        List<String> actual = new ArrayList<>();
        for (int type : TYPES) {
            for (int from = QpState.RESET; from <= QpState.ERR; from++) {
                for (int to = QpState.RESET; to <= QpState.ERR; to++) {
                    if (QpStateTable.allowed(type, from, to)) {
                        actual.add(String.join(
                                " ",
                                QpType.toString(type),
                                QpState.toString(from),
                                QpState.toString(to),
                                QpAttrMask.toString(QpStateTable.required(type, from, to)),
                                QpAttrMask.toString(QpStateTable.optional(type, from, to))));
                    }
                }
            }
        }
        assertEquals(String.join("\n", ConstantsTest.lines("qp-transitions.txt")), String.join("\n", actual));
    }

    @Test
    void checkAgreesWithMasks() {
        for (int type : TYPES) {
            for (int from = QpState.RESET; from <= QpState.ERR; from++) {
                for (int to = QpState.RESET; to <= QpState.ERR; to++) {
                    int required = QpStateTable.required(type, from, to);
                    int optional = QpStateTable.optional(type, from, to);
                    assertEquals(0, required & optional);
                    assertEquals(0, (required | optional) & QpAttrMask.STATE);
                    if (!QpStateTable.allowed(type, from, to)) {
                        assertEquals(0, required | optional);
                        assertNotNull(QpStateTable.check(type, from, to, QpAttrMask.STATE));
                        continue;
                    }
                    int all = QpAttrMask.STATE | required | optional;
                    assertNull(QpStateTable.check(type, from, to, required));
                    assertNull(QpStateTable.check(type, from, to, all));
                    for (int bit = 1; bit != 0; bit <<= 1) {
                        String with = QpStateTable.check(type, from, to, all ^ bit);
                        String name = QpAttrMask.toString(bit);
                        if ((required & bit) != 0) {
                            assertTrue(with.endsWith("; missing " + name), with);
                        } else if (Integer.compareUnsigned(bit, QpAttrMask.DEST_QPN) > 0) {
                            assertNull(with, "the table does not judge later additions");
                        } else if ((all & bit) == 0) {
                            assertTrue(with.endsWith("; surplus " + name), with);
                        } else {
                            assertNull(with);
                        }
                    }
                }
            }
        }
    }

    @Test
    void everyStateLeadsToResetAndError() {
        for (int type : TYPES) {
            for (int from = QpState.RESET; from <= QpState.ERR; from++) {
                assertTrue(QpStateTable.allowed(type, from, QpState.RESET));
                assertEquals(from != QpState.RESET, QpStateTable.allowed(type, from, QpState.ERR));
            }
        }
    }

    @Test
    void checkNamesMissingAndForbiddenAttributes() {
        int init = QpAttrMask.STATE | QpAttrMask.PKEY_INDEX | QpAttrMask.ACCESS_FLAGS;
        assertEquals(
                "RESET to INIT of an RC queue pair needs ACCESS_FLAGS, PKEY_INDEX, PORT; missing PORT",
                QpStateTable.check(QpType.RC, QpState.RESET, QpState.INIT, init));
        assertEquals(
                "RESET to INIT of a UD queue pair needs PKEY_INDEX, PORT, QKEY and may take nothing else;"
                        + " missing PORT, QKEY; surplus ACCESS_FLAGS",
                QpStateTable.check(QpType.UD, QpState.RESET, QpState.INIT, init));
        assertEquals(
                "RTS to SQD of a UC queue pair takes only EN_SQD_ASYNC_NOTIFY; surplus TIMEOUT",
                QpStateTable.check(QpType.UC, QpState.RTS, QpState.SQD, QpAttrMask.TIMEOUT | 1 << 25));
        assertEquals(
                "RTS to ERR of an RC queue pair takes nothing; surplus CUR_STATE",
                QpStateTable.check(QpType.RC, QpState.RTS, QpState.ERR, QpAttrMask.STATE | QpAttrMask.CUR_STATE));
        assertEquals(
                "RESET to RTS of an RC queue pair is not allowed; RESET can go to RESET, INIT",
                QpStateTable.check(QpType.RC, QpState.RESET, QpState.RTS, QpAttrMask.STATE));
        assertEquals(
                "RTS to SQE of a UD queue pair is not allowed; RTS can go to RESET, RTS, SQD, ERR",
                QpStateTable.check(QpType.UD, QpState.RTS, QpState.SQE, QpAttrMask.STATE));
    }

    @Test
    void unknownTypesPassAndUnknownStatesFail() {
        int min = Integer.MIN_VALUE;
        int max = Integer.MAX_VALUE;
        for (int type : new int[] {min, -1, 0, 1, 5, 8, 11, max}) {
            assertFalse(QpStateTable.allowed(type, QpState.RESET, QpState.INIT));
            assertEquals(0, QpStateTable.required(type, QpState.RESET, QpState.INIT));
            assertEquals(0, QpStateTable.optional(type, QpState.RESET, QpState.INIT));
            assertFalse(QpStateTable.knows(type));
            assertNull(
                    QpStateTable.check(type, QpState.RESET, QpState.RTS, -1), "no judgement on types of later levels");
        }
        for (int state : new int[] {min, -1, 7, max}) {
            assertFalse(QpStateTable.allowed(QpType.RC, state, QpState.RESET));
            assertFalse(QpStateTable.allowed(QpType.RC, QpState.RESET, state));
            String expected = "queue pair state " + state
                    + " is not one of RESET (0), INIT (1), RTR (2), RTS (3), SQD (4), SQE (5), ERR (6)";
            assertEquals(expected, QpStateTable.check(QpType.RC, state, QpState.RESET, 0));
            assertEquals(expected, QpStateTable.check(QpType.RC, QpState.RESET, state, 0));
        }
    }
}
