/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Messages between two endpoints, and the credits that they need. */
package io.verbs4j.bulk.control;
