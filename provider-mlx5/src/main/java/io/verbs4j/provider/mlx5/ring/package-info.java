/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The queues that Java and the device share: work queue elements written, completions read, doorbells rung. */
package io.verbs4j.provider.mlx5.ring;
