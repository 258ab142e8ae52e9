/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_flow_spec_esp}: a filter of ESP.
 *
 * <pre>
 * 0 type(4)  4 size(2)  8 val(8)  8 val.spi(4)  12 val.seq(4)  16 mask(8)  20 mask.seq(4)    24 in all
 * </pre>
 */
@CStruct(value = "struct ibv_flow_spec_esp", since = 18)
public final class FlowSpecEspLayout {
    @CSize(since = 18, size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "type", size = 4, since = 18)
    public static final int TYPE = 0;

    @CField(value = "size", size = 2, since = 18)
    public static final int SIZE = 4;

    @CField(value = "val", size = 8, since = 18)
    public static final int VAL = 8;

    @CField(value = "val.spi", size = 4, since = 18)
    public static final int VAL_SPI = 8;

    @CField(value = "val.seq", size = 4, since = 18)
    public static final int VAL_SEQ = 12;

    @CField(value = "mask", size = 8, since = 18)
    public static final int MASK = 16;

    @CField(value = "mask.seq", size = 4, since = 18)
    public static final int MASK_SEQ = 20;

    private FlowSpecEspLayout() {}
}
