/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

/**
 * What the sends of a raw packet queue pair may be.
 *
 * @param inlineHeader how many bytes of each frame the device wants in the element: 0 or 18
 * @param checksums whether the device makes checksums
 * @param maxTsoHeader most bytes of a header that is in front of segments
 * @param maxTso most bytes of data that the device cuts into segments; 0 where it cuts none
 */
public record FrameLimits(int inlineHeader, boolean checksums, int maxTsoHeader, int maxTso) {}
