/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Codes of the static rate of an address: the speed that a sender must not exceed when it injects packets. The order of
 * the values is historical; they do not grow with the speed.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_create_ah(3)}.
 */
public final class Rate {
    /** No limit: the speed of the port. Source: {@code IBV_RATE_MAX}, {@code ibv_create_ah(3)}. */
    public static final int RATE_MAX = 0;

    /** 2.5 Gbit/s, 2500 Mbit/s. Source: {@code IBV_RATE_2_5_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_2_5_GBPS = 2;

    /** 10 Gbit/s, 10000 Mbit/s. Source: {@code IBV_RATE_10_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_10_GBPS = 3;

    /** 30 Gbit/s, 30000 Mbit/s. Source: {@code IBV_RATE_30_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_30_GBPS = 4;

    /** 5 Gbit/s, 5000 Mbit/s. Source: {@code IBV_RATE_5_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_5_GBPS = 5;

    /** 20 Gbit/s, 20000 Mbit/s. Source: {@code IBV_RATE_20_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_20_GBPS = 6;

    /** 40 Gbit/s, 40000 Mbit/s. Source: {@code IBV_RATE_40_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_40_GBPS = 7;

    /** 60 Gbit/s, 60000 Mbit/s. Source: {@code IBV_RATE_60_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_60_GBPS = 8;

    /** 80 Gbit/s, 80000 Mbit/s. Source: {@code IBV_RATE_80_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_80_GBPS = 9;

    /** 120 Gbit/s, 120000 Mbit/s. Source: {@code IBV_RATE_120_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_120_GBPS = 10;

    /** 14 Gbit/s nominally, 14062 Mbit/s exactly. Source: {@code IBV_RATE_14_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_14_GBPS = 11;

    /** 56 Gbit/s nominally, 56250 Mbit/s exactly. Source: {@code IBV_RATE_56_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_56_GBPS = 12;

    /** 112 Gbit/s nominally, 112500 Mbit/s exactly. Source: {@code IBV_RATE_112_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_112_GBPS = 13;

    /** 168 Gbit/s nominally, 168750 Mbit/s exactly. Source: {@code IBV_RATE_168_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_168_GBPS = 14;

    /** 25 Gbit/s nominally, 25781 Mbit/s exactly. Source: {@code IBV_RATE_25_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_25_GBPS = 15;

    /** 100 Gbit/s nominally, 103125 Mbit/s exactly. Source: {@code IBV_RATE_100_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_100_GBPS = 16;

    /** 200 Gbit/s nominally, 206250 Mbit/s exactly. Source: {@code IBV_RATE_200_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_200_GBPS = 17;

    /** 300 Gbit/s nominally, 309375 Mbit/s exactly. Source: {@code IBV_RATE_300_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_300_GBPS = 18;

    /** 28 Gbit/s nominally, 28125 Mbit/s exactly. Source: {@code IBV_RATE_28_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_28_GBPS = 19;

    /** 50 Gbit/s nominally, 53125 Mbit/s exactly. Source: {@code IBV_RATE_50_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_50_GBPS = 20;

    /** 400 Gbit/s nominally, 425000 Mbit/s exactly. Source: {@code IBV_RATE_400_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_400_GBPS = 21;

    /** 600 Gbit/s nominally, 637500 Mbit/s exactly. Source: {@code IBV_RATE_600_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_600_GBPS = 22;

    /** 800 Gbit/s nominally, 850000 Mbit/s exactly. Source: {@code IBV_RATE_800_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_800_GBPS = 23;

    /** 1200 Gbit/s nominally, 1275000 Mbit/s exactly. Source: {@code IBV_RATE_1200_GBPS}, {@code ibv_create_ah(3)}. */
    public static final int RATE_1200_GBPS = 24;

    private Rate() {}

    /**
     * Returns the multiple of the base rate of 2.5 Gbit/s that a rate code stands for, like
     * {@code ibv_rate_to_mult(3)}.
     *
     * <p>The codes of 14, 25, 56, 100, 112, 168, 200 and 300 Gbit/s have no multiple, as in libibverbs; the multiples
     * of the other codes from 28 Gbit/s up are not exact. {@link #toMbps} knows all codes.
     *
     * @param rate one of the constants of this class
     * @return the multiple, or -1 if the code has none (like {@link #RATE_MAX}) or is unknown
     */
    public static int toMultiplier(int rate) {
        switch (rate) {
            case RATE_2_5_GBPS:
                return 1;
            case RATE_10_GBPS:
                return 4;
            case RATE_30_GBPS:
                return 12;
            case RATE_5_GBPS:
                return 2;
            case RATE_20_GBPS:
                return 8;
            case RATE_40_GBPS:
                return 16;
            case RATE_60_GBPS:
                return 24;
            case RATE_80_GBPS:
                return 32;
            case RATE_120_GBPS:
                return 48;
            case RATE_28_GBPS:
                return 11;
            case RATE_50_GBPS:
                return 20;
            case RATE_400_GBPS:
                return 160;
            case RATE_600_GBPS:
                return 240;
            case RATE_800_GBPS:
                return 320;
            case RATE_1200_GBPS:
                return 480;
            default:
                return -1;
        }
    }

    /**
     * Returns the rate code of a multiple of the base rate of 2.5 Gbit/s, like {@code mult_to_ibv_rate(3)}.
     *
     * @param multiplier the multiple
     * @return one of the constants of this class; {@link #RATE_MAX} if no code stands for exactly that multiple
     */
    public static int fromMultiplier(int multiplier) {
        switch (multiplier) {
            case 1:
                return RATE_2_5_GBPS;
            case 2:
                return RATE_5_GBPS;
            case 4:
                return RATE_10_GBPS;
            case 8:
                return RATE_20_GBPS;
            case 11:
                return RATE_28_GBPS;
            case 12:
                return RATE_30_GBPS;
            case 16:
                return RATE_40_GBPS;
            case 20:
                return RATE_50_GBPS;
            case 24:
                return RATE_60_GBPS;
            case 32:
                return RATE_80_GBPS;
            case 48:
                return RATE_120_GBPS;
            case 160:
                return RATE_400_GBPS;
            case 240:
                return RATE_600_GBPS;
            case 320:
                return RATE_800_GBPS;
            case 480:
                return RATE_1200_GBPS;
            default:
                return RATE_MAX;
        }
    }

    /**
     * Returns the speed that a rate code stands for, like {@code ibv_rate_to_mbps(3)}.
     *
     * @param rate one of the constants of this class
     * @return speed in Mbit/s, or -1 if the code is {@link #RATE_MAX} or unknown
     */
    public static int toMbps(int rate) {
        switch (rate) {
            case RATE_2_5_GBPS:
                return 2500;
            case RATE_10_GBPS:
                return 10000;
            case RATE_30_GBPS:
                return 30000;
            case RATE_5_GBPS:
                return 5000;
            case RATE_20_GBPS:
                return 20000;
            case RATE_40_GBPS:
                return 40000;
            case RATE_60_GBPS:
                return 60000;
            case RATE_80_GBPS:
                return 80000;
            case RATE_120_GBPS:
                return 120000;
            case RATE_14_GBPS:
                return 14062;
            case RATE_56_GBPS:
                return 56250;
            case RATE_112_GBPS:
                return 112500;
            case RATE_168_GBPS:
                return 168750;
            case RATE_25_GBPS:
                return 25781;
            case RATE_100_GBPS:
                return 103125;
            case RATE_200_GBPS:
                return 206250;
            case RATE_300_GBPS:
                return 309375;
            case RATE_28_GBPS:
                return 28125;
            case RATE_50_GBPS:
                return 53125;
            case RATE_400_GBPS:
                return 425000;
            case RATE_600_GBPS:
                return 637500;
            case RATE_800_GBPS:
                return 850000;
            case RATE_1200_GBPS:
                return 1275000;
            default:
                return -1;
        }
    }

    /**
     * Returns the rate code of a speed, like {@code mbps_to_ibv_rate(3)}.
     *
     * @param mbps speed in Mbit/s
     * @return one of the constants of this class; {@link #RATE_MAX} if no code stands for exactly that speed
     */
    public static int fromMbps(int mbps) {
        switch (mbps) {
            case 2500:
                return RATE_2_5_GBPS;
            case 5000:
                return RATE_5_GBPS;
            case 10000:
                return RATE_10_GBPS;
            case 14062:
                return RATE_14_GBPS;
            case 20000:
                return RATE_20_GBPS;
            case 25781:
                return RATE_25_GBPS;
            case 28125:
                return RATE_28_GBPS;
            case 30000:
                return RATE_30_GBPS;
            case 40000:
                return RATE_40_GBPS;
            case 53125:
                return RATE_50_GBPS;
            case 56250:
                return RATE_56_GBPS;
            case 60000:
                return RATE_60_GBPS;
            case 80000:
                return RATE_80_GBPS;
            case 103125:
                return RATE_100_GBPS;
            case 112500:
                return RATE_112_GBPS;
            case 120000:
                return RATE_120_GBPS;
            case 168750:
                return RATE_168_GBPS;
            case 206250:
                return RATE_200_GBPS;
            case 309375:
                return RATE_300_GBPS;
            case 425000:
                return RATE_400_GBPS;
            case 637500:
                return RATE_600_GBPS;
            case 850000:
                return RATE_800_GBPS;
            case 1275000:
                return RATE_1200_GBPS;
            default:
                return RATE_MAX;
        }
    }

    /**
     * Returns the name of a value.
     *
     * @param rate one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int rate) {
        switch (rate) {
            case RATE_MAX:
                return "RATE_MAX";
            case RATE_2_5_GBPS:
                return "RATE_2_5_GBPS";
            case RATE_10_GBPS:
                return "RATE_10_GBPS";
            case RATE_30_GBPS:
                return "RATE_30_GBPS";
            case RATE_5_GBPS:
                return "RATE_5_GBPS";
            case RATE_20_GBPS:
                return "RATE_20_GBPS";
            case RATE_40_GBPS:
                return "RATE_40_GBPS";
            case RATE_60_GBPS:
                return "RATE_60_GBPS";
            case RATE_80_GBPS:
                return "RATE_80_GBPS";
            case RATE_120_GBPS:
                return "RATE_120_GBPS";
            case RATE_14_GBPS:
                return "RATE_14_GBPS";
            case RATE_56_GBPS:
                return "RATE_56_GBPS";
            case RATE_112_GBPS:
                return "RATE_112_GBPS";
            case RATE_168_GBPS:
                return "RATE_168_GBPS";
            case RATE_25_GBPS:
                return "RATE_25_GBPS";
            case RATE_100_GBPS:
                return "RATE_100_GBPS";
            case RATE_200_GBPS:
                return "RATE_200_GBPS";
            case RATE_300_GBPS:
                return "RATE_300_GBPS";
            case RATE_28_GBPS:
                return "RATE_28_GBPS";
            case RATE_50_GBPS:
                return "RATE_50_GBPS";
            case RATE_400_GBPS:
                return "RATE_400_GBPS";
            case RATE_600_GBPS:
                return "RATE_600_GBPS";
            case RATE_800_GBPS:
                return "RATE_800_GBPS";
            case RATE_1200_GBPS:
                return "RATE_1200_GBPS";
            default:
                return "unknown (" + rate + ")";
        }
    }
}
