/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

/**
 * {@code struct hbldv_ucontext_attr}: how a device is opened.
 *
 * <pre>
 * 0 ports_mask(8)  8 core_fd(4)    16 in all
 * </pre>
 */
public final class UcontextAttrLayout {
    public static final int SIZEOF = 16;
    public static final int PORTS_MASK = 0;
    public static final int CORE_FD = 8;

    private UcontextAttrLayout() {}
}
