/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The memory of submission and completion rings, and both of their sides. */
package io.verbs4j.bulk.ring;
