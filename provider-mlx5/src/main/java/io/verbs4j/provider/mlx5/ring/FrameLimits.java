/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

/**
 * The send limits of a raw packet queue pair.
 *
 * @param inlineHeader number of bytes of each frame that the device needs in the element: 0 or 18
 * @param checksums whether the device computes checksums
 * @param maxTsoHeader maximum size of a header for segments, in bytes
 * @param maxTso maximum number of bytes of data that the device splits into segments; 0 if it does not segment
 */
public record FrameLimits(int inlineHeader, boolean checksums, int maxTsoHeader, int maxTso) {}
